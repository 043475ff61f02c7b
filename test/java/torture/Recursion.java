public class Recursion {
  private boolean closed;
  private int depth(int n) {
    return n <= 0 ? 0 : 1 + depth(n - 1);
  }
  public int measure(int n) {
    return depth(n);
  }
  public void close() {
    closed = true;
  }
  public void use() {
    if (closed) throw new IllegalStateException();
  }
}
