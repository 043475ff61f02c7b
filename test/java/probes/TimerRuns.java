// open: a timer runs own code
import java.util.*;
public class TimerRuns {
  private volatile boolean ran;
  public void start() throws InterruptedException { Timer t = new Timer(true); t.schedule(new TimerTask() { @Override public void run() { ran = true; } }, 0); Thread.sleep(30); t.cancel(); }
  public void check() { if (ran) throw new IllegalStateException(); }
}
