public class Division {
  private int divisor = 2;
  public void down() {
    divisor--;
  }
  public int use(int x) {
    if (divisor == 0) throw new IllegalStateException();
    return x / divisor;
  }
}
