// expect Alias.same: follows
// expect Alias.closed: violates next
import java.io.IOException;

public class Alias {
  static void same() throws IOException {
    Cursor a = new Cursor();
    Cursor b = a;
    b.open(1);
    a.next();
  }

  static void closed() throws IOException {
    Cursor a = new Cursor();
    Cursor b = a;
    b.open(1);
    b.close();
    a.next();
  }
}
