// open: it rests on what is not followed
public class BoxIdentity {
  private Integer a = 0, b = 0; private Long c = 0L;
  public void set(int x) { a = x; b = x; }
  public void big() { a = 1000; b = 1000; }
  public void check() { if (a != b) throw new IllegalStateException(); }
  public void eq() { if (!a.equals(b)) throw new IllegalStateException(); }
  public void mixed() { if (c.equals(a)) throw new IllegalStateException(); }
}
