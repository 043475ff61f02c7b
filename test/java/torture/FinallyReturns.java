public class FinallyReturns {
  private int n;
  @SuppressWarnings("finally") public int swallow() {
    try {
      if (n > 0) throw new IllegalStateException();
      return 1;
    } finally {
      n = 1;
      return 2;
    }
  }
  public void use() {
    if (n == 1) throw new IllegalStateException();
  }
}
