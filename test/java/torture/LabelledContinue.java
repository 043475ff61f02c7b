// labelled continue
public class LabelledContinue {
  private int n;
  public int search(int k) {
    int found = 0;
    outer:
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) { if (j == k) continue outer; if (i + j == 4) { found = 1; break outer; } }
    }
    n += found; return found;
  }
  public void use() { if (n == 0) throw new IllegalStateException(); n = 0; }
}
