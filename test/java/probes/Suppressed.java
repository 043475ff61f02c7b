// open: it rests on what is not followed
public class Suppressed {
  private int closed; private boolean failing, seen;
  private class Res implements AutoCloseable { @Override public void close() { closed++; if (failing) throw new IllegalArgumentException("close"); } }
  public void fail(boolean f) { failing = f; }
  public void run(boolean inside) {
    try (Res a = new Res(); Res b = new Res()) { if (inside) throw new IllegalArgumentException("body"); }
    catch (IllegalArgumentException e) { seen = e.getSuppressed().length > 0; }
  }
  public void check() { if (seen) throw new IllegalStateException(); }
  public void two() { if (closed > 2) throw new IllegalStateException(); }
}
