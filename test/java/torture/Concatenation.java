public class Concatenation {
  private int n;
  private String last = "";
  public void add(int x) {
    last = "n=" + n + x;
    n++;
    if (n > 2) n = 0;
  }
  public void use() {
    if (n == 2) throw new IllegalStateException("at " + n + last);
  }
}
