public class Generic<T> {
  private T item;
  public void put(T x) {
    if (item != null) throw new IllegalStateException();
    item = x;
  }
  public T take() {
    if (item == null) throw new IllegalStateException();
    T x = item;
    item = null;
    return x;
  }
}
