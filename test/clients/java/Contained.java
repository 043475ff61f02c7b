// expect Contained.inList: unknown (a list leads to the object)
// expect Contained.inSet: unknown (a set leads to the object)
// expect Contained.inMap: unknown (a map leads to the object)
// expect Contained.inArray: unknown (an array behind a list leads to the object)
// expect Contained.inOptional: unknown (an optional value leads to the object)
// expect Contained.handed: unknown (a callee that is not given gets a list of it)
// expect Contained.handedOptional: unknown (a callee that is not given gets it in an optional value)
// expect Contained.beside: follows
// expect Contained.looked: follows
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Containers that cannot be changed lead to what is in them. */
public class Contained {
  static native void take(List<Cursor> all);
  static native void takeOne(Optional<Cursor> one);

  static void inList() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    List.of(c).forEach(Cursor::close);
    c.next();
  }
  static void inSet() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    Set.of(c).forEach(Cursor::close);
    c.next();
  }
  static void inMap() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    Map.of("one", c).values().forEach(Cursor::close);
    c.next();
  }
  static void inArray() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    for (Cursor one : Arrays.asList(c)) one.close();
    c.next();
  }
  static void inOptional() throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    Optional.of(c).ifPresent(Cursor::close);
    c.next();
  }
  static void handed() throws IOException {
    Cursor c = new Cursor();
    List<Cursor> all = List.of(c);
    if (!c.isOpen()) c.open(1);
    if (c.isOpen()) {
      take(all);
      c.next();
    }
  }
  static void handedOptional() throws IOException {
    Cursor c = new Cursor();
    Optional<Cursor> one = Optional.of(c);
    if (!c.isOpen()) c.open(1);
    if (c.isOpen()) {
      takeOne(one);
      c.next();
    }
  }
  static void beside(List<Cursor> others) throws IOException {
    Cursor c = new Cursor();
    c.open(1);
    List.of("one", "two").forEach(text -> text.length());
    others.add(new Cursor());
    c.next();
  }
  static void looked() throws IOException {
    Cursor c = Objects.requireNonNull(new Cursor());
    c.open(1);
    c.next();
  }
}
