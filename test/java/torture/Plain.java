public class Plain {
  private boolean open;
  public void open() {
    if (open) throw new IllegalStateException();
    open = true;
  }
  public void close() {
    if (!open) throw new IllegalStateException();
    open = false;
  }
}
