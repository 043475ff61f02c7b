public class StaticConstant {
  private static final int IDLE = 0, BUSY = 7;
  private int state = IDLE;
  public void start() {
    if (state == BUSY) throw new IllegalStateException();
    state = BUSY;
  }
  public void stop() {
    if (state == IDLE) throw new IllegalStateException();
    state = IDLE;
  }
}
