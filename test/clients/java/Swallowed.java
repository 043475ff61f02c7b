// expect Swallowed.run: violates next
import java.io.IOException;

public class Swallowed {
  static boolean run() {
    try {
      return new Cursor().next();
    } catch (IllegalStateException e) {
      return false;
    }
  }
}
