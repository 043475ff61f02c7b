// do-while with break and state; char switch
public class CharSwitch {
  private char c = 'a'; private int n;
  public void next() { switch (c) { case 'a': c = 'b'; break; case 'b': c++; case 'c': n++; c = 'd'; break; default: throw new IllegalStateException(); } }
  public void back() { if (n > 0) c = 'a'; else throw new IllegalStateException(); n--; }
}
