public class HiddenField extends HiddenFieldBase {
  private boolean flag = true;
  public void clear() {
    flag = false;
  }
  public void use() {
    if (!flag) throw new IllegalStateException();
  }
}
