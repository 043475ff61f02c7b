public class Nested {
  private final Inner inner = new Inner();
  private class Inner {
    private int uses;
    void use() {
      if (closed) throw new IllegalStateException("closed");
      uses++;
    }
  }
  private boolean closed;
  public void use() {
    inner.use();
  }
  public void close() {
    closed = true;
  }
}
