public class StaticNested {
  private static class Cell {
    int value;
    Cell next;
  }
  private Cell top;
  public void push(int x) {
    Cell c = new Cell();
    c.value = x;
    c.next = top;
    top = c;
  }
  public void pop() {
    if (top == null) throw new IllegalStateException();
    top = top.next;
  }
}
