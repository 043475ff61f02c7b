// open: how many elements a function adds is not followed
import java.util.*;
public class ChangedByFunction {
  private final List<String> items = new ArrayList<>();
  private boolean bad;
  public void add() { items.add("a"); }
  public void each() {
    try { items.forEach(x -> items.add("b")); }
    catch (ConcurrentModificationException e) { bad = true; }
  }
  public void check() { if (bad) throw new IllegalStateException(); }
}
