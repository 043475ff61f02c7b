public class EnumNull {
  enum Mode {
    READ, WRITE
  }
  private Mode mode;
  public void read() {
    mode = Mode.READ;
  }
  public void clear() {
    mode = null;
  }
  public void use() {
    if (mode == null) throw new IllegalStateException();
  }
}
