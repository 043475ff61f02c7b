public class Rethrow {
  private boolean closed;
  public void use() {
    try {
      if (closed) throw new IllegalStateException();
    } catch (IllegalStateException e) {
      closed = false;
      throw e;
    }
  }
  public void close() {
    closed = true;
  }
}
