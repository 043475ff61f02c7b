public class SuperCall extends InheritedBase {
  private int count;
  @Override public void prepare() {
    count++;
    if (count > 1) throw new IllegalStateException();
    super.prepare();
  }
  public void use() {
    check();
  }
}
