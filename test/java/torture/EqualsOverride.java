// equals and hashCode overrides
public class EqualsOverride {
  private int k;
  public boolean equals(Object o) { return o instanceof EqualsOverride other && other.k == k; }
  public int hashCode() { return k * 31; }
  public void set(int n) { k = n; }
  public void self() { if (!equals(this)) throw new IllegalStateException(); }
  public void fresh() { if (!this.equals(new EqualsOverride())) throw new IllegalStateException(); }
  public void hash() { if (hashCode() == 31) throw new IllegalStateException(); }
}
