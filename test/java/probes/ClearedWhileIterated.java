// open: what iterators and entries find after a change is not followed
import java.util.*;
public class ClearedWhileIterated {
  private final List<String> s = new ArrayList<>();
  public void add() { s.add("a"); }
  public void each() {
    Iterator<String> it = s.iterator();
    s.clear();
    if (!it.hasNext()) throw new IllegalStateException();
  }
}
