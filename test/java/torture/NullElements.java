// Which collections refuse null.
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Hashtable;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

public class NullElements {
  private final Deque<String> deque = new ArrayDeque<>();
  private final TreeMap<String, String> sorted = new TreeMap<>();
  private final ConcurrentHashMap<String, String> shared = new ConcurrentHashMap<>();
  private final Hashtable<String, String> table = new Hashtable<>();
  private int refused;

  public void deque() { try { deque.add(null); refused = 0; } catch (NullPointerException e) { refused = 1; } }
  public void key() { try { sorted.get(null); refused = 0; } catch (NullPointerException e) { refused = 2; } }
  public void value() { try { shared.put("a", null); refused = 0; } catch (NullPointerException e) { refused = 1; } }
  public void table() { try { table.put(null, ""); refused = 0; } catch (NullPointerException e) { refused = 2; } }
  public void one() { if (refused == 1) throw new IllegalStateException(); }
  public void two() { if (refused == 2) throw new IllegalStateException(); }
}
