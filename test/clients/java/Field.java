// expect Field.start: follows
// expect Field.move: follows
import java.io.IOException;

public class Field {
  private Cursor cursor;

  void start() throws IOException {
    if (cursor == null) {
      Cursor c = new Cursor();
      c.open(1);
      cursor = c;
    }
  }

  void move() {
    cursor.next();
  }
}
