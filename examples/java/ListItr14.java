import java.util.List;
import java.util.NoSuchElementException;

/**
 * The list iterator of java.util.AbstractList as it was in JDK 1.4: the list's own get says when the cursor is outside, and
 * a previous that fails leaves the cursor where it went. Error: IllegalStateException. JIST, Figures 5 and 6.
 */
public class ListItr14 {
  private final List<Object> list;
  private int cursor;
  private int lastRet = -1;
  private int expectedModCount;

  public ListItr14(List<Object> list) { this.list = list; }

  public void next() {
    try {
      list.get(cursor);
      lastRet = cursor++;
    } catch (IndexOutOfBoundsException e) {
      throw new NoSuchElementException();
    }
  }

  public void previous() {
    try {
      list.get(--cursor);
      lastRet = cursor;
    } catch (IndexOutOfBoundsException e) {
      throw new NoSuchElementException();
    }
  }

  public void remove() {
    if (lastRet == -1) throw new IllegalStateException();
    if (lastRet < cursor) cursor--;
    lastRet = -1;
    expectedModCount++;
  }

  public void set() {
    if (lastRet == -1) throw new IllegalStateException();
  }

  public void add() {
    cursor++;
    lastRet = -1;
    expectedModCount++;
  }
}
