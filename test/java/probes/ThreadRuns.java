// open: a thread runs the function
import java.util.*;
public class ThreadRuns {
  private boolean ran;
  public void start() throws InterruptedException { Thread t = new Thread(() -> ran = true); t.start(); t.join(); }
  public void check() { if (ran) throw new IllegalStateException(); }
}
