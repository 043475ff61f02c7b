// expect FieldPackage.start: unknown (others get to the field)
// expect FieldPackage.move: conditional
import java.io.IOException;

/** Other classes may open and close what is in a field that is not private. */
public class FieldPackage {
  Cursor cursor = new Cursor();
  private boolean started;

  public void start() throws IOException {
    if (!started) cursor.open(1);
    started = true;
  }

  public void move() {
    if (started) cursor.next();
  }
}
