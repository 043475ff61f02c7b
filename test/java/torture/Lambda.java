public class Lambda {
  private boolean closed;
  private final java.util.function.IntSupplier one = () -> 1;
  public int use() {
    if (closed) throw new IllegalStateException();
    return one.getAsInt();
  }
  public void close() {
    closed = true;
  }
}
