// two objects of own class interplay
public class TwoObjects {
  private TwoObjects peer; private boolean closed;
  public void connect() { if (peer != null) throw new IllegalStateException(); peer = new TwoObjects(); peer.peer = this; }
  public void closePeer() { if (peer == null) throw new IllegalStateException(); peer.closed = true; peer.peer.closed = true; }
  public void send() { if (closed || peer == null || peer.closed) throw new IllegalStateException(); }
}
