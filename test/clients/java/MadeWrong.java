// expect MadeWrong.MadeWrong: unknown (constructors are judged with the methods, and this one errs)
// expect MadeWrong.read: unknown (nothing makes an object safely)
import java.io.IOException;

class MadeWrong {
  private final Cursor c = new Cursor();

  MadeWrong(boolean early) throws IOException {
    if (!early) c.open(1);
    c.next();
  }

  void read() { c.next(); }
}
