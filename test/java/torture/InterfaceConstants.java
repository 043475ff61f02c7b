// static nested state machine with interface constant & static method
public class InterfaceConstants {
  interface Limits { int MAX = 2, MIN = -1; static int clamp(int x) { return x > MAX ? MAX : x < MIN ? MIN : x; } }
  private int level;
  public void up() { level = Limits.clamp(level + 1); }
  public void down() { level = Limits.clamp(level - 1); }
  public void high() { if (level == Limits.MAX) throw new IllegalStateException(); }
  public void low() { if (level < 0) throw new IllegalStateException(); }
}
