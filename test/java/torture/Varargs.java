public class Varargs {
  private int n;
  private static int count(Object... items) {
    return items.length;
  }
  public void two() {
    n = count("a", "b");
  }
  public void none() {
    n = count();
  }
  public void use() {
    if (n == 0) throw new IllegalStateException();
  }
}
