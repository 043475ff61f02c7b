public class ArrayElements {
  private final boolean[] on = new boolean[2];
  public void set() {
    on[0] = true;
  }
  public void use() {
    if (!on[0]) throw new IllegalStateException();
  }
}
