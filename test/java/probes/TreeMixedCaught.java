// open: it rests on what is not followed
import java.util.*;
public class TreeMixedCaught {
  private final TreeSet<Object> m = new TreeSet<>();
  private boolean bad;
  public void text() { try { m.add("x"); } catch (ClassCastException e) { bad = true; } }
  public void number(int n) { try { m.add(n); } catch (ClassCastException e) { bad = true; } }
  public void check() { if (bad) throw new IllegalStateException(); }
}
