// open: what iterators and entries find after a change is not followed
import java.util.*;
public class EntryGiven {
  private final Map<String, String> m = new HashMap<>();
  public void put(String k) { m.put(k, "v"); }
  public void any() { for (Map.Entry<String, String> e : m.entrySet()) spoil(e); }
  private static void spoil(Map.Entry<String, String> e) { Other.take(e); }
  public void use(String k) { if (m.containsKey(k) && m.get(k) == null) throw new IllegalStateException(); }
  static class Other { static void take(Map.Entry<String, String> e) { e.setValue(null); } }
}
