// open: it rests on what is not followed
interface Gate { default void enter() { if (isOpen()) throw new IllegalStateException(); mark(); } boolean isOpen(); void mark(); }
interface Loud extends Gate { @Override default void enter() { mark(); Gate.super.enter(); } }
public class Defaults implements Gate {
  static class Impl implements Loud { boolean o; int n; public boolean isOpen() { return o; } public void mark() { n++; o = n > 1; } }
  private boolean open; private final Impl impl = new Impl();
  public boolean isOpen() { return open; }
  public void mark() { open = !open; }
  public void loud() { impl.enter(); }
}
