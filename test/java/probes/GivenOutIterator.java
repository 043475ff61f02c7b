// lists: objects of GivenOutIterator$1 do not change the object between its calls
// open: the library's forEach runs what nobody gave
import java.util.Iterator;

/** Clients may step through it when no call is running: an object of a class without a name is theirs under that of an interface. */
public class GivenOutIterator implements Iterable<Integer> {
  private int n;

  public Iterator<Integer> iterator() {
    n = 0;
    return new Iterator<>() {
      public boolean hasNext() {
        return n < 2;
      }

      public Integer next() {
        return n++;
      }
    };
  }

  public void check() {
    if (n == 1) throw new IllegalStateException();
  }
}
