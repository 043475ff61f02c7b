public class TryCatch {
  private int state;
  public void step() {
    try {
      if (state > 1) throw new IllegalArgumentException();
      state++;
    } catch (IllegalArgumentException e) {
      state = 0;
    }
  }
  public void use() {
    if (state != 1) throw new IllegalStateException();
  }
}
