// nested finally order with state and rethrow
public class FinallyOrder {
  private int s;
  private void risky(int k) { s = 1; try { if (k > 0) throw new IllegalArgumentException(); s = 2; } finally { s += 10; } }
  public void call(int k) { try { risky(k); } catch (IllegalArgumentException e) { s += 100; } finally { if (s == 111) s = 7; } }
  public void seven() { if (s != 7) throw new IllegalStateException(); s = 0; }
  public void twelve() { if (s == 12) throw new IllegalStateException(); }
}
