public class InheritedBase {
  private boolean ready;
  public void prepare() {
    ready = true;
  }
  protected void check() {
    if (!ready) throw new IllegalStateException();
  }
}
