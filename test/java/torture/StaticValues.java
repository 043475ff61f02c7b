// static fields start as their initialisers leave them, final ones included
public class StaticValues {
  enum M { A, B }
  private static final Object LOCK = new Object();
  private static final M DEF = M.B; private static final Integer LIM = 1;
  private static int never; private boolean ready; private M m = DEF; private int n;
  public void lock() { if (LOCK == null || never != 0 || ready) throw new IllegalStateException(); ready = true; }
  public void rdy() { if (!ready) throw new IllegalStateException(); ready = false; }
  public void m() { if (m == M.A) throw new IllegalStateException(); m = M.A; if (n >= LIM) throw new IllegalStateException(); n++; }
}
