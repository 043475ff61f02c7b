public class LabelledBreak {
  private int found = -1;
  public void search(int x) {
    found = -1;
    outer: for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) if (i * j == x) {
      found = i;
      break outer;
    }
  }
  public void use() {
    if (found == 5) throw new IllegalStateException();
  }
}
