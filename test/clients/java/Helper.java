// expect Helper.good: follows
// expect Helper.bad: violates next
import java.io.IOException;

public class Helper {
  private static void shut(Cursor c) {
    c.close();
  }

  private static Cursor opened() throws IOException {
    Cursor c = new Cursor();
    c.open(2);
    return c;
  }

  static void good() throws IOException {
    Cursor c = opened();
    c.next();
    shut(c);
  }

  static void bad() throws IOException {
    Cursor c = opened();
    shut(c);
    c.next();
  }
}
