public class BooleanLogic {
  private boolean a, b;
  public void setA() {
    a = true;
  }
  public void setB() {
    b = !b;
  }
  public void use() {
    if (a & b | !a ^ b) throw new IllegalStateException();
  }
}
