public class BitFlags {
  private int flags;
  public void lock() {
    if ((flags & 4) != 0) throw new IllegalStateException();
    flags |= 4;
  }
  public void unlock() {
    if ((flags & 4) == 0) throw new IllegalStateException();
    flags &= ~4;
  }
  public void mark() {
    flags ^= 2;
  }
}
