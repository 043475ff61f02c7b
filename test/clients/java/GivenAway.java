// expect GivenAway.cursor: conditional
// expect GivenAway.open: unknown (an object is not followed)
// expect GivenAway.read: conditional
import java.io.IOException;

/** What `cursor()` hands out anybody may open and close. */
class GivenAway {
  private final Cursor c = new Cursor();
  private boolean opened;

  void open() throws IOException {
    if (!opened) {
      c.open(1);
      opened = true;
    }
  }

  void read() {
    if (opened) c.next();
  }

  Cursor cursor() { return c; }
}
