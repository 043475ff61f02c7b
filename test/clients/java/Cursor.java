import java.io.IOException;

/** A cursor: opened once, moved on while open, read where it stands on something. */
public final class Cursor implements AutoCloseable {
  private boolean open, has;
  private int value;

  public Cursor() {}

  public void open(int n) throws IOException {
    if (open) throw new IllegalStateException("open already");
    if (!exists(n)) throw new IOException("no such thing");
    open = true;
    has = false;
  }

  public boolean next() {
    if (!open) throw new IllegalStateException("not open");
    has = more();
    return has;
  }

  public int get() {
    if (!has) throw new IllegalStateException("nothing here");
    return value;
  }

  public void skip(int n) {
    if (n < 1) throw new IllegalStateException("not forward");
    if (!open) throw new IllegalStateException("not open");
    has = false;
  }

  @Override
  public void close() {
    open = false;
    has = false;
  }

  public boolean isOpen() {
    return open;
  }

  private static native boolean exists(int n);

  private static native boolean more();
}
