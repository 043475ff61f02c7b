public class Labels {
  private int hits;
  public void scan(int a, int b) { outer: for (int i = 0; i < 3; i++) { for (int j = 0; j < 3; j++) { if (i == a && j == b) { hits = 10 * i + j; break outer; } if (j > i) continue outer; } } }
  public void check() { if (hits == 12) throw new IllegalStateException(); }
  public void no() { if (hits == 20) throw new IllegalStateException(); }
}
