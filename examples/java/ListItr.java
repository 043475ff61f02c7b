/** A list iterator over a list of which only the size matters. Error: IllegalStateException. */
public class ListItr {
  private int cursor;
  private int lastRet = -1;
  private int size;

  public ListItr(int size) {
    if (size < 0) throw new IllegalArgumentException();
    this.size = size;
  }

  public void next() {
    if (cursor >= size) throw new java.util.NoSuchElementException();
    lastRet = cursor++;
  }

  public void previous() {
    if (cursor <= 0) throw new java.util.NoSuchElementException();
    lastRet = --cursor;
  }

  public void remove() {
    if (lastRet < 0) throw new IllegalStateException();
    if (lastRet < cursor) cursor--;
    size--;
    lastRet = -1;
  }

  public void set() {
    if (lastRet < 0) throw new IllegalStateException();
  }

  public void add() {
    cursor++;
    size++;
    lastRet = -1;
  }
}
