// expect Endings.withFinallyReturns: violates next
// expect Endings.withFinallyOrder: violates next
// expect Endings.withCatchIse: violates next
// expect Endings.withMultiCatch: violates next
// expect Endings.withNpe: violates next
// expect Endings.withAioobe: violates next
// expect Endings.withCce: violates next
// expect Endings.withDiv0: violates next
// expect Endings.withLabel: violates next
// expect Endings.withSwitch: violates next
import java.io.IOException;

class Endings {
  int withFinallyReturns() throws IOException {
    Cursor c = new Cursor();
    try {
      c.open(1);
      throw new IOException();
    } finally {
      c.close();
      return c.next() ? 1 : 0;
    }
  }
  int withFinallyOrder(int n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    try {
      if (n > 3) return 1;
      c.next();
    } finally {
      c.close();
    }
    return c.next() ? 1 : 0;
  }
  void withCatchIse() throws IOException {
    Cursor c = new Cursor();
    try {
      c.next();
    } catch (IllegalStateException e) {
    }
  }
  void withMultiCatch() {
    Cursor a = new Cursor();
    try {
      a.open(1);
    } catch (IOException | RuntimeException e) {
      a.next();
    }
  }
  void withNpe(String n) throws IOException {
    Cursor a = new Cursor();
    try {
      n.length();
      a.open(1);
    } catch (NullPointerException e) {
    }
    a.next();
  }
  void withAioobe(int[] n) throws IOException {
    Cursor a = new Cursor();
    try {
      n[3] = 1;
      a.open(1);
    } catch (ArrayIndexOutOfBoundsException e) {
    }
    a.next();
  }
  void withCce(Object n) throws IOException {
    Cursor a = new Cursor();
    try {
      String s = (String)n;
      a.open(1);
    } catch (ClassCastException e) {
    }
    a.next();
  }
  void withDiv0(int n) throws IOException {
    Cursor a = new Cursor();
    try {
      int k = 1 / n;
      a.open(1);
    } catch (ArithmeticException e) {
    }
    a.next();
  }
  void withLabel(int n) throws IOException {
    Cursor c = new Cursor();
  outer:
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        if (j == 3) {
          c.open(j);
          break outer;
        }
        if (i == 7) continue outer;
      }
    }
    c.next();
  }
  void withSwitch(int n) throws IOException {
    Cursor c = new Cursor();
    switch (n) {
    case 1: c.open(1);
    case 2: c.next(); break;
    default:
    }
  }
}
