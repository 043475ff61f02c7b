// expect Parameter.first: conditional
// expect Parameter.wrong: violates next
// expect Parameter.shut: follows
import java.io.IOException;

public class Parameter {
  static int first(Cursor c) {
    return c.next() ? c.get() : 0;
  }

  static void wrong(Cursor c) {
    c.close();
    c.next();
  }

  static void shut(Cursor c) {
    if (c.isOpen()) c.close();
  }
}
