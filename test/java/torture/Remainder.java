public class Remainder {
  private int n;
  public void step() {
    n = (n + 1) % 3;
  }
  public void use() {
    if (n % 3 == 2) throw new IllegalStateException();
  }
}
