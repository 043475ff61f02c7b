public class StringSwitch {
  private int mode;
  public void set(String s) {
    switch (s) {
      case "a": mode = 1;
      break;
      case "b": mode = 2;
      break;
      default: mode = 0;
    }
  }
  public void reset() {
    mode = 0;
  }
  public void use() {
    if (mode == 3) throw new IllegalStateException();
  }
}
