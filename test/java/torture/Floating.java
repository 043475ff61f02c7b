public class Floating {
  private double level;
  public void raise() {
    level += 0.5;
  }
  public void use() {
    if (level >= 1) throw new IllegalStateException();
  }
}
