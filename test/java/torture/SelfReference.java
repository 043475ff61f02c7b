// The object refers to itself: what is written through the reference is its own field, and `this` is not null.
public class SelfReference {
  private SelfReference other;
  private boolean on;

  public void link() {
    other = this;
  }

  public void set() {
    if (other == null) throw new IllegalStateException();
    other.on = true;
  }

  public void check() {
    if (!on) throw new IllegalStateException();
  }

  public void clear() {
    if (other != null) other.on = false;
  }
}
