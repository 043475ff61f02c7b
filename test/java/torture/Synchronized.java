public class Synchronized {
  private final Object lock = new Object();
  private boolean closed;
  public void close() {
    synchronized (lock) {
      closed = true;
    }
  }
  public void use() {
    synchronized (lock) {
      if (closed) throw new IllegalStateException();
    }
  }
  public synchronized void reopen() {
    if (!closed) throw new IllegalStateException();
    closed = false;
  }
}
