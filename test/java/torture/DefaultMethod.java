public class DefaultMethod implements DefaultMethodFace {
  private boolean on;
  public boolean isOn() {
    return on;
  }
  public void turnOn() {
    on = true;
  }
}
