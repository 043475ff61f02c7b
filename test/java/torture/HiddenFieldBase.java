public class HiddenFieldBase {
  private boolean flag;
  public void setBase() {
    flag = true;
  }
  public void useBase() {
    if (!flag) throw new IllegalStateException();
  }
}
