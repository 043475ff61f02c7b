import java.util.*;

/** A function that a library runs does nothing itself: what it makes, overrides and initialises does. */
public class FunctionsRunFunctions {
  private static int count;
  static class First { static int set = (count = 1); static void touch() { } }
  abstract static class Step { abstract void take(); }
  class Second extends Step { void take() { if (count == 1) count = 2; } }

  private void first() { First.touch(); }
  private static void run(Runnable r) { r.run(); }
  private static void take(Step s) { s.take(); }

  public FunctionsRunFunctions() { count = 0; }
  public void one() {
    List<Integer> list = new ArrayList<>(List.of(2, 1));
    list.sort((v, w) -> { run(this::first); return v - w; });
  }
  public void two() { new ArrayList<>(List.of(1)).forEach(v -> take(new Second())); }
  public void check() { if (count == 2) throw new IllegalStateException(); }
  public void early() { if (count == 1) throw new IllegalStateException(); }
}
