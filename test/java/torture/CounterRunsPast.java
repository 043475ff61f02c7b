// synchronized with exceptions
public class CounterRunsPast {
  private final Object lock = new Object(); private int n;
  public void a() { synchronized (lock) { n++; if (n == 2) throw new IllegalStateException(); } }
  public synchronized void b() { try { synchronized (this) { if (n == 0) throw new RuntimeException(); n = 0; } } catch (RuntimeException e) { n = 5; } }
}
