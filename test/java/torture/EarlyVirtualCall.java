// field initialised through overridden method in super constructor
class EarlyVirtualCallBase { EarlyVirtualCallBase() { init(); } void init() {} }
public class EarlyVirtualCall extends EarlyVirtualCallBase {
  private int x = 1; private int y;
  void init() { x = 7; y = 7; }
  public void a() { if (x == 7) throw new IllegalStateException(); x = 7; }
  public void b() { if (y == 7) throw new IllegalStateException(); }
  public void c() { y = 0; }
}
