// open: it rests on what is not followed
public class Concat {
  private String s = "";
  public void add(String x) { s = s + x; }
  public void addc(char c) { s += c + 1; }
  public void check() { if (s.equals("null")) throw new IllegalStateException(); }
  public void same() { String t = "op" + "en"; if (s == t) throw new IllegalStateException(); }
  public void set(String x) { s = x; }
  public void intern() { if (s != null && s.length() > 2 && s.substring(1).equals("pen")) throw new IllegalStateException(); }
}
