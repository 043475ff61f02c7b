// expect Elements.written: unknown (toString of an element may close the cursor)
// expect Elements.hashed: unknown (hashCode of an element may close the cursor)
// expect Elements.listed: unknown (the elements of an array are closed by a function)
// expect Elements.started: unknown (start of a thread runs what its class overrides)
// expect Elements.strict: follows
// expect Elements$Closes.toString: unknown (methods of nested classes are not judged by themselves)
import java.io.IOException;
import java.util.Arrays;
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
  static class Runs extends Thread {
    private final Cursor c;
    Runs(Cursor c) { this.c = c; }
    @Override
    public void run() { c.close(); }
  }

  static void listed() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    Arrays.asList(c).forEach(Cursor::close);
    c.next();
  }
  static void started() throws Exception {
    Cursor c = new Cursor();
    c.open(1);
    Runs runs = new Runs(c);
    runs.start();
    runs.join();
    c.next();
  }
  static void strict(int n) {
    if (n < 0) throw new IllegalArgumentException();
  }
}
