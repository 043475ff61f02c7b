import java.io.IOException;

/** The writing end of a pipe as in JDK 1.4: to write before connect is a NullPointerException. JIST, Figure 9. */
public class PipedOutputStream14 {
  private Object sink;

  public void connect(Object other) throws IOException {
    if (other == null || sink != null) throw new IOException("cannot connect");
    sink = other;
  }

  public void write() {
    if (sink == null) throw new NullPointerException();
  }

  public void flush() { }

  public void close() { }
}
