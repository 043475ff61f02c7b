// expect Lambda.run: unknown (what a lambda expression does elsewhere is not followed)
import java.io.IOException;

public class Lambda {
  static void run(java.util.List<Runnable> later) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    later.add(() -> c.close());
    c.next();
  }
}
