/// Functions run in helpers, through super-interfaces, and when they are the object itself.
public class FunctionsHandedOn implements Runnable {
    interface Step { void take(); }
    interface Twice extends Step { default void both() { take(); take(); } }

    private int count;

    private static void run(Runnable r) { r.run(); }
    private static void step(Step s) { s.take(); }

    public void run() { count = (count + 1) % 4; }
    public void self() { run(this); }
    public void above() { Twice t = () -> count = (count + 1) % 4; step(t); t.both(); }
    public void check() { if (count == 3) throw new IllegalStateException(); }
}
