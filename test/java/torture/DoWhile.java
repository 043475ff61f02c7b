public class DoWhile {
  private int n;
  public void fill() {
    do n++;
    while (n < 3);
  }
  public void use() {
    if (n < 3) throw new IllegalStateException();
  }
}
