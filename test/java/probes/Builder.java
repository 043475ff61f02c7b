// open: it rests on what is not followed
// error: java.lang.StringIndexOutOfBoundsException
public class Builder {
  private final StringBuilder sb = new StringBuilder();
  public void add(char c) { sb.append(c); }
  public void chop() { sb.deleteCharAt(sb.length() - 1); }
  public void len(int n) { sb.setLength(n); }
  public void nul() { sb.append((String) null); }
  public void del(int a, int b) { sb.delete(a, b); }
  public void rev() { sb.reverse(); }
  public void ins(int at) { sb.insert(at, 'x'); }
  public char at(int i) { return sb.charAt(i); }
}
