// char arithmetic over a string switch with fallthrough
public class CharCounter {
  private char c = 'x';
  public void next() { c++; if (c > 'z') c = 'a'; }
  public void vowel() { switch (c) { case 'a': case 'e': throw new IllegalStateException(); case 'y': c = 'e'; default: } }
}
