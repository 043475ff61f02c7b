public class BoxedState {
  private Integer n = 0; private Boolean f = Boolean.FALSE; private Character c = 'a';
  public void inc() { n++; if (n > 2) throw new IllegalStateException(); }
  public void flip() { f = !f; }
  public void need() { if (!f) throw new IllegalStateException(); }
  public void nul() { f = null; }
  public void ch() { if (c == 'b') throw new IllegalStateException(); c = (char) (c + 1); }
}
