// enum toString override that throws, values(), name()
public class EnumToString {
  enum E { P, Q { public String toString() { throw new IllegalStateException("q"); } }; }
  private E e = E.P;
  public void set(E x) { if (x != null) e = x; }
  public void show() { String s = e.toString(); }
  public void len() { if (E.values().length != 2) throw new IllegalStateException(); }
}
