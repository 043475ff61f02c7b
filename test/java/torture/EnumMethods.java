public class EnumMethods {
  enum Lv { LOW(1), HIGH(3); final int w; Lv(int w) { this.w = w; } boolean heavy() { return w > 2; } void check() { if (this == HIGH) throw new IllegalStateException(); } }
  private Lv lv = Lv.LOW; private int sum;
  public void raise() { lv = Lv.HIGH; }
  public void lower() { lv = Lv.LOW; }
  public void check() { lv.check(); }
  public void add() { if (lv.heavy()) throw new IllegalStateException(); sum += lv.w; }
  public void need() { if (sum == 0) throw new IllegalStateException(); }
}
