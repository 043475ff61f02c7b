public class Division {
  private int divisor = 2;
  public void down() {
    if (divisor > 0) divisor--;
  }
  public int use(int x) {
    if (divisor == 0) throw new IllegalStateException();
    return x / divisor;
  }
}
