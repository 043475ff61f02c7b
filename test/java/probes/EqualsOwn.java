// open: it rests on what is not followed
import java.util.*;
public class EqualsOwn {
  private static final class Key { final String a; Key(String a) { this.a = a; }
    @Override public boolean equals(Object o) { return o instanceof Key && ((Key) o).a.equalsIgnoreCase(a); }
    @Override public int hashCode() { return a.toLowerCase().hashCode(); } }
  private final Set<Key> keys = new HashSet<>();
  public void add(String s) { if (s == null) throw new IllegalArgumentException(); if (!keys.add(new Key(s))) throw new IllegalStateException(); }
  public void remove(String s) { if (s == null) return; keys.remove(new Key(s)); }
  public boolean has(String s) { return s != null && keys.contains(new Key(s)); }
}
