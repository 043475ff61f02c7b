// Exceptions that do something when they are made or written down.
public class WrittenExceptions {
  private int count;

  private class Traced extends RuntimeException {
    @Override public synchronized Throwable fillInStackTrace() { count = 1; return this; }
  }

  private class Told extends RuntimeException {
    @Override public String getMessage() { count = 2; return "told"; }
  }

  public void reset() { count = 0; }
  public void make() { try { throw new Traced(); } catch (Traced e) { return; } }
  public void write() { String text = "it says " + new Told(); }
  public void print() { new Told().toString(); }
  public void one() { if (count == 1) throw new IllegalStateException(); }
  public void two() { if (count == 2) throw new IllegalStateException(); }
}
