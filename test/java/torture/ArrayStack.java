public class ArrayStack {
  private final Object[] items = new Object[3];
  private int size;
  public void push(Object x) {
    if (size == 3) throw new IllegalStateException();
    items[size++] = x;
  }
  public Object pop() {
    if (size == 0) throw new IllegalStateException();
    return items[--size];
  }
}
