// open: it rests on what is not followed
public class SealedRecord {
  sealed interface Ev permits Open, Close, Tick {}
  record Open(String name) implements Ev { Open { if (name == null) throw new IllegalArgumentException(); } }
  record Close(int code) implements Ev {}
  record Tick() implements Ev {}
  private Ev last = new Tick();
  public void open(String n) { last = new Open(n); }
  public void close(int c) { last = new Close(c); }
  public void need() { if (last instanceof Close c && c.code() > 1) throw new IllegalStateException(); }
  public void name() { if (last instanceof Open o && o.name().isEmpty()) throw new IllegalStateException(); }
  public void same() { if (last.equals(new Close(1))) throw new IllegalStateException(); }
}
