public class ArrayField {
  private int[] data;
  public void allocate() {
    if (data != null) throw new IllegalStateException();
    data = new int[4];
  }
  public int length() {
    if (data == null) throw new IllegalStateException();
    return data.length;
  }
  public void free() {
    data = null;
  }
}
