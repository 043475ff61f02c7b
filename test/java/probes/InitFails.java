/** Class initialisers that throw: the first use fails in one way, every later one in another. */
public class InitFails {
  private static class Direct {
    static int x = fail();
    static int fail() { throw new IllegalArgumentException("no"); }
    static void use() {}
  }
  private static class Implicit {
    static int zero;
    static int x = 1 / zero;
    static void use() {}
  }
  private static class Sub extends Direct {
    static void touch() {}
  }
  private static class Caught {
    static int x;
    static { try { x = 7 / Implicit2.none; } catch (ArithmeticException e) { x = 9; } }
  }
  private static class Implicit2 { static int none; }
  private int failures, missing;
  public void direct() {
    try { Direct.use(); } catch (ExceptionInInitializerError e) { failures++; } catch (NoClassDefFoundError e) { missing++; }
  }
  public void implicit() {
    try { Implicit.use(); failures = 100; } catch (ExceptionInInitializerError e) { failures++; } catch (NoClassDefFoundError e) { missing++; }
  }
  public void sub() {
    try { Sub.touch(); failures = 100; } catch (ExceptionInInitializerError e) { failures++; } catch (NoClassDefFoundError e) { missing++; }
  }
  public void caught() {
    if (Caught.x != 9) throw new IllegalStateException();
  }
  public void check() {
    if (failures > 0 && missing > 0) throw new IllegalStateException();
  }
}
