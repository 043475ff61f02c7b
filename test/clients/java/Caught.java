// expect Caught.early: follows
// expect Caught.swallowed: violates next
import java.io.IOException;

public class Caught {
  static boolean early() {
    Cursor c = new Cursor();
    try {
      c.open(3);
    } catch (IOException e) {
      return false;
    }
    return c.next();
  }

  static boolean swallowed() {
    Cursor c = new Cursor();
    try {
      c.open(3);
    } catch (IOException e) {
    }
    return c.next();
  }
}
