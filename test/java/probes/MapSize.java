import java.util.HashMap;
import java.util.Map;

// How many keys a map of the class's own has is no guess.
public class MapSize {
  private final Map<String, Integer> seats = new HashMap<>();

  public void take(String who) {
    if (who == null) return;
    if (!seats.containsKey(who) && seats.size() == 2) throw new IllegalStateException("full");
    seats.put(who, seats.size());
  }

  public void leave(String who) {
    if (seats.remove(who) == null) throw new IllegalStateException("not here");
  }

  public int count() { return seats.size(); }
}
