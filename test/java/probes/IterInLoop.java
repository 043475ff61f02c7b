// open: it rests on what is not followed
import java.util.*;
// error: java.util.ConcurrentModificationException
public class IterInLoop {
  private final Map<String, Integer> m = new HashMap<>();
  public void put(String k, int v) { m.put(k, v); }
  public void clean() { for (String k : m.keySet()) if (m.get(k) < 1) m.remove(k); }
  public void cleanWell() { m.keySet().removeIf(k -> m.get(k) < 1); }
  public int size() { return m.size(); }
}
