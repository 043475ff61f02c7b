public class Helper {
  private boolean closed;
  private IllegalStateException closed() {
    return new IllegalStateException("closed");
  }
  public void use() {
    if (closed) throw closed();
  }
  public void close() {
    closed = true;
  }
}
