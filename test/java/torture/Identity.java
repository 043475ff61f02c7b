public class Identity {
  private String s = "a"; private Object c = String.class; private Integer i = 5;
  public void same() { if (s == "a") throw new IllegalStateException(); }
  public void differ() { if (s != "a") throw new IllegalStateException(); }
  public void cls() { if (c != String.class) throw new IllegalStateException(); }
  public void box() { Integer j = 5; if (i == j) throw new IllegalStateException(); }
  public void eq(String t) { if (!s.equals(t)) throw new IllegalStateException(); }
  public void set(String t) { if (t != null) s = t; }
}
