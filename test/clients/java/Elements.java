// expect Elements.written: unknown (toString of an element may close the cursor)
// expect Elements.hashed: unknown (hashCode of an element may close the cursor)
// expect Elements.strict: follows
// expect Elements$Closes.toString: unknown (methods of nested classes are not judged by themselves)
import java.io.IOException;
import java.util.HashSet;

/** Library code runs the client's `toString` and `hashCode`. */
class Elements {
  static class Closes {
    private final Cursor c;
    Closes(Cursor c) { this.c = c; }
    @Override
    public String toString() {
      c.close();
      return "";
    }
    @Override
    public int hashCode() {
      c.close();
      return 1;
    }
  }

  static void written() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    String text = "" + new Closes(c);
    c.next();
  }
  static void hashed() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    new HashSet<Closes>().add(new Closes(c));
    c.next();
  }
  static void strict(int n) {
    if (n < 0) throw new IllegalArgumentException();
  }
}
