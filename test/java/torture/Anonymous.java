public class Anonymous {
  private boolean done;
  private final Runnable task = new Runnable() {
    public void run() {
      done = true;
    }
  };
  public void finish() {
    done = true;
  }
  public void use() {
    if (done) throw new IllegalStateException();
  }
}
