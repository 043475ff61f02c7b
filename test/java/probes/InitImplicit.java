public class InitImplicit {
  private static class Implicit {
    static int zero;
    static int x = 1 / zero;
    static void use() {}
  }
  private int failures, missing;
  public void implicit() {
    try { Implicit.use(); failures = 100; } catch (ExceptionInInitializerError e) { failures++; } catch (NoClassDefFoundError e) { missing++; }
  }
  public void check() {
    if (missing > 0) throw new IllegalStateException();
  }
}
