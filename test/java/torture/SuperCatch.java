public class SuperCatch {
  private boolean closed;
  private void check() {
    if (closed) throw new IllegalStateException();
  }
  public boolean tryUse() {
    try {
      check();
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }
  public void use() {
    check();
  }
  public void close() {
    closed = true;
  }
}
