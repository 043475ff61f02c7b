public class Characters {
  private char c = 'a';
  public void next() {
    c++;
    if (c > 'c') c = 'a';
  }
  public void use() {
    if (c == 'b') throw new IllegalStateException();
  }
}
