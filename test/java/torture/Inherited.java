public class Inherited extends InheritedBase {
  public void use() {
    check();
  }
}
