public class Initialiser {
  private int state;
  {
    state = 2;
  }
  private boolean ready = state == 2;
  public void use() {
    if (!ready) throw new IllegalStateException();
    ready = false;
  }
}
