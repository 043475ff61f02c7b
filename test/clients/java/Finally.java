// expect Finally.shut: follows
// expect Finally.moved: violates next
import java.io.IOException;

public class Finally {
  static int shut(int n) throws IOException {
    Cursor c = new Cursor();
    try {
      c.open(n);
      return c.next() ? c.get() : 0;
    } finally {
      c.close();
    }
  }

  static void moved(int n) throws IOException {
    Cursor c = new Cursor();
    try {
      c.open(n);
    } finally {
      c.next();
    }
  }
}
