// clone
public class CloneCopies implements Cloneable {
  private int n; private CloneCopies saved;
  public void inc() { if (n == 2) throw new IllegalStateException(); n++; }
  public void save() { try { saved = (CloneCopies) clone(); } catch (CloneNotSupportedException e) { throw new IllegalStateException(); } }
  public void restore() { if (saved == null) throw new IllegalStateException(); n = saved.n; }
}
