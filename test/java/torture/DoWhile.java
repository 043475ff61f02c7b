public class DoWhile {
  private int n;
  public void fill() {
    n = 0;
    do n++;
    while (n < 3);
  }
  public void use() {
    if (n < 3) throw new IllegalStateException();
  }
}
