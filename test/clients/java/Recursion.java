// expect Recursion.run: unknown (recursion)
import java.io.IOException;

public class Recursion {
  private static int sum(Cursor c) {
    return c.next() ? c.get() + sum(c) : 0;
  }

  static int run() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    return sum(c);
  }
}
