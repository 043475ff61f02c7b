public class Sealed {
  sealed interface Shape permits Dot, Line { }
  static final class Dot implements Shape { }
  static final class Line implements Shape { }
  private Shape shape;
  public void dot() {
    shape = new Dot();
  }
  public void clear() {
    shape = null;
  }
  public void use() {
    if (shape == null) throw new IllegalStateException();
  }
}
