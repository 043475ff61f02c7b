// sealed interface hierarchy with record cases
public class RecordCases {
  sealed interface Shape permits Circle, Square, Nothing {}
  record Circle(int r) implements Shape {}
  record Square(int a) implements Shape {}
  enum Nothing implements Shape { IT }
  private Shape s = Nothing.IT;
  public void circle() { s = new Circle(1); }
  public void square() { s = new Square(0); }
  public void area() { if (s instanceof Nothing) throw new IllegalStateException(); }
  public void flat() { if (s instanceof Square q && q.a() == 0) throw new IllegalStateException(); }
}
