// open: a thread runs own code
public class ThreadSub {
  private boolean ran;
  private class Worker extends Thread { @Override public void run() { ran = true; } }
  public void start() throws InterruptedException { Worker t = new Worker(); t.start(); t.join(); }
  public void check() { if (ran) throw new IllegalStateException(); }
}
