// long counters vs int casts
public class LongToInt {
  private long total = 0xFFFFFFFFL; 
  public void cast() { if ((int) total == -1) throw new IllegalStateException(); total = 1; }
  public void big() { total = 1L << 40; }
  public void low() { if ((int) total == 0) throw new IllegalStateException(); }
}
