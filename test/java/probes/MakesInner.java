/** What is made needs the object itself, which is never null. */
public class MakesInner {
  private int n;

  public class Part {
    public int size() {
      return 1;
    }
  }

  public Part part() {
    n = 0;
    return new Part();
  }

  public void up() {
    n = 1;
  }

  public void check() {
    if (n == 1) throw new IllegalStateException();
  }
}
