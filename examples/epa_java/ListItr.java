/** The list iterator of java.util.AbstractList with its checks as clauses; see epa_list_iterator. */
public class ListItr {
  // @invariant 0 <= cursor && cursor <= size && last >= -1 && last < size
  // @invariant last == -1 || last == cursor - 1 || last == cursor
  private int size, cursor, last = -1;

  /** @requires 0 <= index && index <= length */
  public ListItr(int length, int index) {
    size = length;
    cursor = index;
  }

  // @requires cursor < size
  public void next() {
    last = cursor;
    cursor++;
  }

  /**
   * Goes back by one.
   *
   * @requires this.cursor > 0
   */
  public void previous() {
    cursor--;
    last = cursor;
  }

  // @requires last != -1
  public void remove() {
    if (last < cursor) cursor--;
    size--;
    last = -1;
  }

  // @requires last != -1
  public void set(Object element) {}

  public void add(Object element) {
    size++;
    cursor++;
    last = -1;
  }
}
