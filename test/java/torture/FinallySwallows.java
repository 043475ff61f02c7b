// return in finally swallows
public class FinallySwallows {
  private int phase;
  public int tick() {
    try {
      try { phase++; if (phase == 2) throw new IllegalStateException(); return 1; }
      finally { phase += 10; }
    } finally { if (phase == 12) { phase = 5; return 2; } }
  }
  public void use() { if (phase > 5) throw new IllegalStateException(); phase = 0; }
}
