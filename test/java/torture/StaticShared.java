// static counter shared by instances
public class StaticShared {
  private static int made; private boolean first; private int uses;
  public StaticShared() { first = made == 0; made++; }
  public void use() { if (uses >= 2) throw new IllegalStateException(); uses++; }
  public void other() { new StaticShared(); if (made < 1) throw new IllegalStateException(); }
  public void reset() { uses = 0; }
}
