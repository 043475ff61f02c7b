// expect Numbers.withOverflow: violates skip
// expect Numbers.withLong: violates skip
// expect Numbers.withByte: violates skip
// expect Numbers.withChar: violates skip
// expect Numbers.withMul: violates skip
// expect Numbers.withDiv: violates skip
// expect Numbers.withLength: violates skip
// expect Numbers.withLoopSkip: violates skip
// expect Numbers.withDouble: unknown (an object is not followed)
import java.io.IOException;

class Numbers {
  void withOverflow(int n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    if (n > 0) c.skip(n + 1);
  }
  void withLong(long n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    if (n > 0) c.skip((int)n);
  }
  void withByte(int n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    if (n > 0) c.skip((byte)n);
  }
  void withChar(char n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    c.skip(n);
  }
  void withMul(int n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    if (n > 0) c.skip(n * 2);
  }
  void withDiv(int n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    if (n > 0) c.skip(n / 3);
  }
  void withLength(String n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    c.skip(n.length());
  }
  void withLoopSkip(int n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    for (int i = n; i >= 0; i--) c.skip(i);
  }
  void withDouble(double n) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    if (n > 0) c.skip((int)n);
  }
}
