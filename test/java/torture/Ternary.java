public class Ternary {
  private int state;
  public void flip() {
    state = state == 0 ? 1 : state == 1 ? 2 : 0;
  }
  public void use() {
    if (state == 2) throw new IllegalStateException();
  }
}
