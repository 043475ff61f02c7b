// expect Chosen.run: violates next
// expect Chosen.both: follows
import java.io.IOException;

public class Chosen {
  static void run(boolean which) throws IOException {
    Cursor a = new Cursor(), b = new Cursor();
    a.open(1);
    Cursor c = which ? a : b;
    c.next();
  }

  static void both(boolean which) throws IOException {
    Cursor a = new Cursor(), b = new Cursor();
    a.open(1);
    b.open(2);
    Cursor c = which ? a : b;
    c.next();
  }
}
