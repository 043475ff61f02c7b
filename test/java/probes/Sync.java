// open: it rests on what is not followed
// error: java.lang.IllegalMonitorStateException
public class Sync {
  private final Object lock = new Object(); private Object other = lock; private int n;
  public synchronized void here() { notify(); }
  public void ok() { synchronized (lock) { lock.notifyAll(); n++; } }
  public void change() { other = new Object(); }
  public void bad() { synchronized (other) { lock.notify(); } }
}
