// static nested builder
public class NestedBuilder {
  public static class Builder {
    private String name; private int size = -1; private boolean built;
    Builder name(String n) { name = n; return this; }
  }
  private Builder b = new Builder();
  public void name() { if (b.built) throw new IllegalStateException(); b.name("x").name("y"); }
  public void size(int n) { if (b.size >= 0) throw new IllegalStateException("twice"); if (n > 0) b.size = n; }
  public void build() { if (b.name == null || b.size < 0) throw new IllegalStateException(); b.built = true; }
  public void fresh() { b = new Builder(); }
}
