// expect Objects.id: follows
// expect Objects.withSwap: violates next
// expect Objects.withSwapLoop: violates next
// expect Objects.withReturned: violates next
// expect Objects.make: follows
// expect Objects.withMade: violates open
// expect Objects.withBox: violates next
// expect Objects.withBoxField: violates next
// expect Objects.withCtorThrows: violates next
// expect Objects.withVirtual2: violates next
// expect Objects.withAnon: violates next
// expect Objects.withInner: violates next
// expect Objects.withCond: violates next
// expect Objects.withBoolStored: violates get
// expect Objects.withOptional: violates next
// expect Objects.withInstanceof: unknown (an object is not followed)
import java.io.IOException;
import java.util.Optional;

class Objects {
  static class Box {
    Cursor c;
    Box(Cursor c) { this.c = c; }
    void shut() { c.close(); }
  }
  static class Bad {
    Bad(Cursor c) {
      c.close();
      throw new RuntimeException();
    }
  }
  interface Act {
    void act(Cursor c);
  }
  static class Shut implements Act {
    public void act(Cursor c) { c.close(); }
  }
  static class Nop implements Act {
    public void act(Cursor c) {}
  }
  Cursor id(Cursor c) { return c; }
  void withSwap() throws IOException {
    Cursor a = new Cursor(), b = new Cursor();
    a.open(1);
    Cursor t = a;
    a = b;
    b = t;
    a.next();
  }
  void withSwapLoop(int n) throws IOException {
    Cursor a = new Cursor(), b = new Cursor();
    a.open(1);
    for (int i = 0; i < n; i++) {
      Cursor t = a;
      a = b;
      b = t;
    }
    a.next();
  }
  void withReturned() throws IOException {
    Cursor c = new Cursor();
    Cursor d = id(c);
    d.open(1);
    c.close();
    d.next();
  }
  static Cursor make() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    return c;
  }
  void withMade() throws IOException { make().open(2); }
  void withBox() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    new Box(c).shut();
    c.next();
  }
  void withBoxField() throws IOException {
    Box b = new Box(new Cursor());
    b.c.open(1);
    b.c = new Cursor();
    b.c.next();
  }
  void withCtorThrows() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    try {
      new Bad(c);
    } catch (RuntimeException e) {
    }
    c.next();
  }
  void withVirtual2(boolean b) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    Act a = b ? new Shut() : new Nop();
    a.act(c);
    c.next();
  }
  void withAnon() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    new Object() {
      void go() { c.close(); }
    }.go();
    c.next();
  }
  void withInner() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    class L {
      void go() { c.close(); }
    }
    new L().go();
    c.next();
  }
  void withCond(boolean x) throws IOException {
    Cursor a = new Cursor(), b = new Cursor();
    a.open(1);
    (x ? a : b).next();
  }
  void withBoolStored() throws IOException {
    Cursor a = new Cursor();
    a.open(1);
    boolean h = a.next();
    a.skip(1);
    if (h) a.get();
  }
  void withOptional() throws IOException {
    Optional<Cursor> o = Optional.of(new Cursor());
    o.get().next();
  }
  void withInstanceof(Object o) {
    if (o instanceof Cursor) {
      ((Cursor)o).close();
      ((Cursor)o).next();
    }
  }
}
