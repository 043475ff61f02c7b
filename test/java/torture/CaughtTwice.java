// Closing fails while another failure is handled: what is thrown at the end is the first one.
public class CaughtTwice {
  private boolean broken, open;

  public void use() throws java.io.IOException {
    try {
      work();
    } catch (IllegalStateException e) {
      try {
        close();
      } catch (java.io.IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private void work() {
    if (broken) throw new IllegalStateException();
  }

  private void close() throws java.io.IOException {
    if (!open) throw new java.io.IOException();
    open = false;
  }

  public void spoil() {
    broken = true;
  }

  public void mend() {
    broken = false;
  }
}
