public class StaticState {
  private int used;
  private static int limit = 2;
  public void use() {
    if (used >= limit) throw new IllegalStateException();
    used++;
  }
  public void reset() {
    used = 0;
  }
}
