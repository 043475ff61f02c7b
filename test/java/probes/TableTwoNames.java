// open: a table with another name is not followed
import java.util.*;
public class TableTwoNames {
  public enum K { A, B }
  private static final Set<K> S = new HashSet<>();
  private static final Set<K> T = S;
  public void add() { S.add(K.B); }
  public void use() { if (!T.contains(K.B)) throw new IllegalStateException(); }
  public void no() { if (T.contains(K.B)) throw new IllegalStateException(); }
}
