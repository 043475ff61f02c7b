// lists: functions made by lambda expressions are not run by clients
/** Clients may run it when no call is running. */
public class GivenOutFunction {
  private int n;

  public Runnable step() {
    return () -> n = 1;
  }

  public void check() {
    if (n == 1) throw new IllegalStateException();
  }
}
