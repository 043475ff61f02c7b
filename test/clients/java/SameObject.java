// expect SameObject.withSame: conditional
// expect SameObject.withNull: conditional
import java.io.IOException;

class SameObject {
  void withSame(Cursor a, Cursor b) {
    if (a == b) {
      a.close();
      b.next();
    }
  }
  void withNull(Cursor a) throws IOException {
    if (a == null) {
      Cursor c = new Cursor();
      c.next();
    }
  }
}
