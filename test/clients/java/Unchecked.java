// expect Unchecked.run: violates get
import java.io.IOException;

public class Unchecked {
  static int run() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    c.next();
    return c.get();
  }
}
