// open: it rests on what is not followed
// error: java.lang.ArrayStoreException
public class Covariant {
  private Object[] xs = new String[3];
  public void nums() { xs = new Integer[3]; }
  public void objs() { xs = new Object[3]; }
  public void text(String s) { xs[0] = s; }
  public void num(int n) { xs[1] = n; }
}
