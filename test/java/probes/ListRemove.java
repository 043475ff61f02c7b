// open: it rests on what is not followed
import java.util.*;
public class ListRemove {
  private final List<Integer> l = new ArrayList<>();
  public void add(int x) { l.add(x); }
  public void at(int i) { if (i >= 0 && i < l.size()) l.remove(i); }
  public void val(int i) { l.remove(Integer.valueOf(i)); }
  public void check() { if (l.size() == 2 && l.get(0) == 1) throw new IllegalStateException(); }
  public void has(int x) { if (l.contains(x)) throw new IllegalStateException(); }
}
