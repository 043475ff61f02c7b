// expect Guard.kept: follows
// expect Guard.broken: violates skip
import java.io.IOException;

public class Guard {
  static void kept(int n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    if (n > 0) c.skip(n);
  }

  static void broken(int n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    if (n >= 0) c.skip(n);
  }
}
