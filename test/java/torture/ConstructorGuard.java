// two-phase init with overloaded constructors
public class ConstructorGuard {
  private final int cap; private int used; private boolean sealed;
  public ConstructorGuard() { this(2); }
  private ConstructorGuard(int c) { if (c < 0) throw new IllegalStateException("neg"); cap = c; }
  public void use() { if (sealed) throw new IllegalStateException(); if (++used == cap) sealed = true; }
  public boolean full() { return used >= cap; }
  public void open() { if (!full()) throw new IllegalStateException(); sealed = false; used = 0; }
}
