// Collections that cannot be changed, indices out of bounds by the class that says so, elements that are written down.
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Vector;

public class FixedCollections {
  private int written;

  private class Item {
    @Override public String toString() { written = 3; return "item"; }
  }

  private final Collection<String> fixed = Collections.unmodifiableCollection(new ArrayList<>());
  private final Vector<String> vector = new Vector<>();
  private final List<Item> items = new ArrayList<>();
  private int state;

  public void clear() { try { fixed.clear(); state = 0; } catch (UnsupportedOperationException e) { state = 1; } }
  public void get() { try { vector.get(0); state = 0; } catch (ArrayIndexOutOfBoundsException e) { state = 2; } }
  public void length() {
    try { new StringBuilder().setLength(-1); state = 0; } catch (StringIndexOutOfBoundsException e) { state = 1; }
  }
  public void add() { if (items.isEmpty()) items.add(new Item()); }
  public void write() { String text = "all: " + items; state = written; }
  public void one() { if (state == 1) throw new IllegalStateException(); }
  public void two() { if (state == 2) throw new IllegalStateException(); }
  public void three() { if (state == 3) throw new IllegalStateException(); }
}
