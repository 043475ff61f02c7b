import java.net.SocketException;

/** A stream socket as of JDK 1.4: only its flags. Error: SocketException. */
public class Socket {
  private boolean created, bound, connected, closed, shutIn, shutOut;

  public void connect() throws SocketException {
    if (closed) throw new SocketException("closed");
    if (connected) throw new SocketException("already connected");
    created = connected = bound = true;
  }

  public void bind() throws SocketException {
    if (closed) throw new SocketException("closed");
    if (bound) throw new SocketException("already bound");
    bound = true;
  }

  public void close() { closed = true; }

  private void checkConnected() throws SocketException {
    if (closed) throw new SocketException("closed");
    if (!connected) throw new SocketException("not connected");
  }

  public void getInputStream() throws SocketException {
    checkConnected();
    if (shutIn) throw new SocketException("input is shut down");
  }

  public void getOutputStream() throws SocketException {
    checkConnected();
    if (shutOut) throw new SocketException("output is shut down");
  }

  public void shutdownInput() throws SocketException {
    checkConnected();
    if (shutIn) throw new SocketException("input is shut down");
    shutIn = true;
  }

  public void shutdownOutput() throws SocketException {
    checkConnected();
    if (shutOut) throw new SocketException("output is shut down");
    shutOut = true;
  }
}
