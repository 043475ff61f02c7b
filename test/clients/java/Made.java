// expect Made.read: follows
import java.io.IOException;

/** The constructor is right, whatever it gets, and no verdict is needed for it. */
class Made {
  private final Cursor c = new Cursor();

  Made(int n) throws IOException { c.open(n); }

  void read() { c.next(); }
}
