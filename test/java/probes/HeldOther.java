// The object in a field may be one of before: nothing is known of it by the field alone.
public class HeldOther {
  private static final class Box {
    int n;
  }

  private Box now;
  private Box before;

  public void make() {
    before = now;
    now = new Box();
  }

  public void add() {
    if (now == null) throw new IllegalStateException("none");
    now.n++;
  }

  public void back() {
    if (before == null) throw new IllegalStateException("no other");
    now = before;
  }

  public void check() {
    if (now != null && now.n > 1) throw new IllegalStateException("many");
  }
}
