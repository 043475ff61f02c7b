// open: a table with another name is not followed
import java.util.*;
public class TableOverArray {
  public enum K { A, B }
  private static final K[] ARR = {K.A};
  private static final List<K> L = Arrays.asList(ARR);
  public void add() { ARR[0] = K.B; }
  public void use() { if (!L.contains(K.B)) throw new IllegalStateException(); }
  public void no() { if (L.contains(K.B)) throw new IllegalStateException(); }
}
