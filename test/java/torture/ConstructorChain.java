public class ConstructorChain {
  private final int limit;
  private int used;
  public ConstructorChain() {
    this(2);
  }
  private ConstructorChain(int limit) {
    this.limit = limit;
  }
  public void use() {
    if (used == limit) throw new IllegalStateException();
    used++;
  }
  public void reset() {
    used = 0;
  }
}
