// switch expression over an enum, with yield
public class SwitchExpression {
  enum S { IDLE, READY, BUSY, DONE }
  private S s = S.IDLE;
  private S next(int k) {
    return switch (s) { case IDLE -> S.READY; case READY -> { if (k > 0) yield S.BUSY; yield S.IDLE; } case BUSY -> S.DONE; case DONE -> S.DONE; };
  }
  public S step(int k) { s = next(k); return s; }
  public void work() { if (s != S.BUSY) throw new IllegalStateException(); }
  public void finish() { switch (s) { case DONE: s = S.IDLE; break; case BUSY: default: throw new IllegalStateException("not done"); } }
}
