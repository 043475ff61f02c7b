// expect Straight.run: follows
import java.io.IOException;

public class Straight {
  static int run() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    int first = c.next() ? c.get() : -1;
    c.close();
    return first;
  }
}
