// open: it rests on what is not followed
import java.util.*;
public class EqualsBroken {
  private static final class Key { final int a; Key(int a) { this.a = a; } @Override public boolean equals(Object o) { return false; } @Override public int hashCode() { return a; } }
  private final Map<Key, String> m = new HashMap<>();
  private final Key one = new Key(1);
  public void put() { m.put(new Key(1), "x"); }
  public void same() { m.put(one, "y"); }
  public void check() { if (m.size() > 1) throw new IllegalStateException(); }
  public void find() { if (m.containsKey(one)) throw new IllegalStateException(); }
}
