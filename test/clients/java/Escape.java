// expect Escape.kept: unknown (a list may hand it to others)
// expect Escape.alone: follows
import java.io.IOException;

public class Escape {
  static void kept(java.util.List<Object> list) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    list.add(c);
    c.next();
  }

  static void alone(java.util.List<String> list) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    list.add("here");
    c.next();
  }
}
