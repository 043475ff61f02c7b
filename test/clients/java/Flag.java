// expect Flag.kept: follows
// expect Flag.lost: violates get
import java.io.IOException;

public class Flag {
  static int kept() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    boolean more = c.next();
    int value = 0;
    if (more) value = c.get();
    return value;
  }

  static int lost(int n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    boolean more = c.next() || n > 3;
    return more ? c.get() : 0;
  }
}
