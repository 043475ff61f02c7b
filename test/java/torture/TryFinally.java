public class TryFinally {
  private boolean busy, failed;
  public void run(boolean bad) {
    try {
      if (bad) throw new IllegalArgumentException();
    } finally {
      failed = bad;
    }
  }
  public void use() {
    if (failed) throw new IllegalStateException();
  }
}
