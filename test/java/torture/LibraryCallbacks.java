import java.util.*;

/// Library callees run functions and methods of the objects that they get.
public class LibraryCallbacks {
    private int state;

    class Key {
        @Override public int hashCode() { state = 1; return 1; }
        @Override public boolean equals(Object o) { return this == o; }
        @Override public String toString() { state = 2; return "key"; }
    }

    public void hash() { new HashSet<Key>().add(new Key()); }
    public void text() { String s = "a" + new Key(); }
    public void each() { List.of(1).forEach(x -> state = 3); }
    public void hashed() { if (state == 1) throw new IllegalStateException(); }
    public void written() { if (state == 2) throw new IllegalStateException(); }
    public void visited() { if (state == 3) throw new IllegalStateException(); }
}
