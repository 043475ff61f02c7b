public class InstanceOf {
  private Object item;
  public void text() {
    item = "t";
  }
  public void number() {
    item = Integer.valueOf(3);
  }
  public void use() {
    if (!(item instanceof String)) throw new IllegalStateException();
  }
}
