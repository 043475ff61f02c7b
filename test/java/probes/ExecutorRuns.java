// open: an executor runs the function
import java.util.concurrent.*;
public class ExecutorRuns {
  private int n;
  public void submit() throws Exception { ExecutorService e = Executors.newSingleThreadExecutor(); e.submit(() -> { n++; }).get(); e.shutdown(); }
  public void check() { if (n > 1) throw new IllegalStateException(); }
}
