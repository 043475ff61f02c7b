public class RecordValue {
  record Pair(int a, int b) { } private Pair pair;
  public void set(int x) {
    pair = new Pair(x, 0);
  }
  public int get() {
    if (pair == null) throw new IllegalStateException();
    return pair.a();
  }
}
