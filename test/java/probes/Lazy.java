// open: it rests on what is not followed
import java.util.*; import java.util.stream.*;
public class Lazy {
  private int n; private Stream<String> s; private final List<String> l = new ArrayList<>();
  public void add() { l.add("x"); }
  public void prepare() { s = l.stream().peek(x -> n++); }
  public void run() { if (s != null) { s.forEach(x -> { }); s = null; } }
  public void check() { if (n > 0) throw new IllegalStateException("ran"); }
  public void any() { if (l.stream().filter(x -> { n += 5; return true; }).findFirst().isPresent() && n == 5) throw new IllegalStateException(); }
}
