// expect TwoObjects.good: follows or unknown (time)
// expect TwoObjects.bad: violates get or unknown (time)
import java.io.IOException;

public class TwoObjects {
  static int good() throws IOException {
    Cursor a = new Cursor(), b = new Cursor();
    a.open(1);
    b.open(2);
    int sum = 0;
    while (a.next() && b.next()) sum += a.get() + b.get();
    return sum;
  }

  static int bad() throws IOException {
    Cursor a = new Cursor(), b = new Cursor();
    a.open(1);
    b.open(2);
    int sum = 0;
    while (a.next() || b.next()) sum += a.get();
    return sum;
  }
}
