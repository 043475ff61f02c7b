// open: it rests on what is not followed
import java.util.*;
// error: java.lang.UnsupportedOperationException
public class AsListFixed {
  private List<String> l = Arrays.asList("a", "b");
  public void own() { l = new ArrayList<>(l); }
  public void fix() { l = List.copyOf(l); }
  public void add(String s) { if (s != null) l.add(s); }
  public void set(String s) { if (s != null && !l.isEmpty()) l.set(0, s); }
  public void un() { l = Collections.unmodifiableList(l); }
}
