// open: it rests on what is not followed
import java.util.*;
public class TreePlain {
  private final TreeSet<Object> m = new TreeSet<>();
  private boolean bad;
  private static class Item { final int n; Item(int n) { this.n = n; } }
  public void put(int n) { try { m.add(new Item(n)); } catch (ClassCastException e) { bad = true; } }
  public void check() { if (bad) throw new IllegalStateException(); }
}
