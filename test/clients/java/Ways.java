// expect Ways.right: follows
// expect Ways.<clinit>: unknown (static initialisers are not judged)
// expect Ways$Inner.wrong: unknown (methods of nested classes are not judged by themselves)
// expect Ways$Inner.<init>: unknown (constructors of nested classes are not judged by themselves)
// expect Ways$Given.wrong: unknown (methods of interfaces are not judged by themselves)
import java.io.IOException;

/** Every way in that is not judged says so. */
public class Ways {
  static {
    new Cursor().next();
  }

  public static class Inner {
    public Inner() { new Cursor().get(); }
    public void wrong() { new Cursor().next(); }
    public int harmless() { return 1; }
  }

  public interface Given {
    default void wrong() { new Cursor().next(); }
  }

  static void right() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    c.next();
  }
}
