// expect Resource.used: follows
// expect Resource.wrong: violates next
import java.io.IOException;

public class Resource {
  static int used() throws IOException {
    try (Cursor c = new Cursor()) {
      c.open(1);
      return c.next() ? c.get() : 0;
    }
  }

  static boolean wrong() {
    try (Cursor c = new Cursor()) {
      return c.next();
    }
  }
}
