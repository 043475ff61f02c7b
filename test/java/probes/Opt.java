// open: it rests on what is not followed
import java.util.*;
// error: java.util.NoSuchElementException
public class Opt {
  private Optional<String> o = Optional.empty();
  public void set(String s) { o = Optional.ofNullable(s); }
  public void filter() { o = o.filter(s -> !s.isEmpty()); }
  public void map() { o = o.map(s -> s.equals("a") ? null : s); }
  public void or() { o = o.or(() -> Optional.of("z")); }
  public String get() { return o.get(); }
  public String els() { return o.orElse(null); }
}
