// open: what iterators and entries find after a change is not followed
import java.util.*;
public class ChangedWhileIterated {
  private final List<String> items = new ArrayList<>();
  private boolean bad;
  public void add() { items.add("a"); }
  public void each() {
    try { for (String s : items) { items.remove(0); items.add("c"); } }
    catch (ConcurrentModificationException e) { bad = true; }
  }
  public void check() { if (bad) throw new IllegalStateException(); }
}
