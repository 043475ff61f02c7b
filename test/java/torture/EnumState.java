public class EnumState {
  enum Phase {
    NEW, RUNNING, DONE
  }
  private Phase phase = Phase.NEW;
  public void start() {
    if (phase != Phase.NEW) throw new IllegalStateException();
    phase = Phase.RUNNING;
  }
  public void stop() {
    if (phase != Phase.RUNNING) throw new IllegalStateException();
    phase = Phase.DONE;
  }
}
