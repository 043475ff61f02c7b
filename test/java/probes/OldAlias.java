public class OldAlias {
  private int[] a = new int[2];
  public void take() { int[] old = a; a = null; if (old != null) throw new IllegalStateException(); }
  public void make() { a = new int[2]; }
}
