public class EnumSwitch {
  enum Phase {
    A, B, C
  }
  private Phase phase = Phase.A;
  public void next() {
    switch (phase) {
      case A: phase = Phase.B;
      break;
      case B: phase = Phase.C;
      break;
      default: throw new IllegalStateException();
    }
  }
  public void back() {
    switch (phase) {
      case C: phase = Phase.B;
      break;
      case B: phase = Phase.A;
      break;
      default: throw new IllegalStateException();
    }
  }
}
