// expect InLoop.fresh: follows
// expect InLoop.again: violates open
import java.io.IOException;

public class InLoop {
  static void fresh(int n) throws IOException {
    for (int i = 0; i < n; ++i) {
      Cursor c = new Cursor();
      c.open(i);
      if (c.next()) c.get();
    }
  }

  static void again(int n) throws IOException {
    Cursor c = new Cursor();
    for (int i = 0; i < n; ++i) c.open(i);
  }
}
