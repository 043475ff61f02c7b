/** An entry of the table of servers that a CORBA daemon has activated. Error: Internal. */
public class ServerTableEntry {
  public static class Internal extends RuntimeException { }

  private enum State { ACTIVATING, DE_ACTIVATED, ACTIVATED, RUNNING, HELD_DOWN }

  private State state = State.ACTIVATING;
  private int retries;

  public void activate() {
    state = State.ACTIVATED;
    retries++;
  }

  public void register() {
    if (state != State.ACTIVATED) throw new Internal();
  }

  public void registerPorts() {
    if (state == State.ACTIVATED) state = State.RUNNING;
  }

  public void install() {
    if (state != State.RUNNING) throw new Internal();
  }

  public void uninstall() {
    if (state != State.RUNNING) throw new Internal();
    state = State.DE_ACTIVATED;
  }

  public void holdDown() { state = State.HELD_DOWN; }
}
