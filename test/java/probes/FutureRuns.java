// open: an executor runs the function
import java.util.concurrent.*;
public class FutureRuns {
  private boolean ran;
  public void start() { CompletableFuture.runAsync(this::mark).join(); }
  private void mark() { ran = true; }
  public void check() { if (ran) throw new IllegalStateException(); }
}
