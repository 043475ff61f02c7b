import java.io.IOException;

/** The writing end of a pipe, with the guards of the real class. Error: IOException. */
public class PipedOutputStream {
  private static class Sink {
    boolean closed;
  }

  private Sink sink;

  public void connect() throws IOException {
    if (sink != null) throw new IOException("already connected");
    sink = new Sink();
  }

  public void write() throws IOException {
    if (sink == null) throw new IOException("not connected");
    if (sink.closed) throw new IOException("closed");
  }

  public void flush() { }

  public void close() {
    if (sink != null) sink.closed = true;
  }
}
