// expect Loop.sum: follows
// expect Loop.after: violates get or unknown (time)
import java.io.IOException;

public class Loop {
  static int sum() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    int sum = 0;
    while (c.next()) sum += c.get();
    c.close();
    return sum;
  }

  static int after() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    while (c.next()) {}
    return c.get();
  }
}
