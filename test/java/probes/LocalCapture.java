// open: it rests on what is not followed
import java.util.function.*;
public class LocalCapture {
  private IntSupplier s = () -> 0; private int base;
  public void base(int b) { base = b; }
  public void make(int x) { class L implements IntSupplier { int calls; public int getAsInt() { calls++; return x + base + calls; } } s = new L(); }
  public void check() { if (s.getAsInt() == 3) throw new IllegalStateException(); }
}
