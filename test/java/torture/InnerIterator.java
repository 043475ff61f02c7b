// iterator with inner class and modCount
public class InnerIterator {
  private int size = 2, mod; private It it;
  private class It { int at, last = -1, exp = mod; int next() { if (exp != mod) throw new java.util.ConcurrentModificationException(); if (at >= size) throw new java.util.NoSuchElementException(); last = at; return at++; }
    void remove() { if (last < 0) throw new IllegalStateException(); if (exp != mod) throw new java.util.ConcurrentModificationException(); size--; at = last; last = -1; exp = ++mod; } }
  public void iterator() { it = new It(); }
  public void next() { it.next(); }
  public void remove() { it.remove(); }
  public void add() { size++; mod++; }
}
