import java.util.LinkedHashMap;
import java.util.Map;

// What the object in a field holds, where every call works on that one, or makes another.
public class HeldObject {
  private static final class Upload {
    final String name;
    final int total;
    int sent;

    Upload(String name, int total) {
      this.name = name;
      this.total = total;
    }

    boolean complete() { return sent == total; }
  }

  private final Map<String, Upload> all = new LinkedHashMap<>();
  private Upload current;

  public void begin(String name, int total) {
    if (current != null) throw new IllegalStateException("in progress: " + current.name);
    if (total < 0) throw new IllegalArgumentException("total");
    current = new Upload(name, total);
    all.put(name, current);
  }

  public int send(int bytes) {
    if (current == null || bytes < 0 || bytes > current.total - current.sent) throw new IllegalStateException("too much");
    current.sent += bytes;
    return current.total - current.sent;
  }

  public void finish() {
    if (current == null || !current.complete()) throw new IllegalStateException("incomplete");
    current = null;
  }
}
