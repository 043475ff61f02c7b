public class LongArithmetic {
  private long total;
  public void add() {
    total += 4_000_000_000L;
    if (total > 8_000_000_000L) total = 0;
  }
  public void use() {
    if (total == 8_000_000_000L) throw new IllegalStateException();
  }
}
