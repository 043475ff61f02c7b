/** The ascent of a crew exploration vehicle: launch, two stages, and the ways to abort. Error: IllegalStateException. */
public class NasaCevAscent {
  private enum Phase {
    PRELAUNCH, FIRST_STAGE, SECOND_STAGE, PAD_ABORT, HOLD, ABORT_LOW, ABORT_HIGH, ABORT_PASSIVE, CHUTE,
    EARTH_INSERTION, END
  }

  private Phase phase = Phase.PRELAUNCH;
  private boolean controlMotorFailed;

  private void only(Phase wanted) {
    if (phase != wanted) throw new IllegalStateException();
  }

  public void srbIgnition() {
    only(Phase.PRELAUNCH);
    phase = Phase.FIRST_STAGE;
  }

  public void failure_le5() {
    only(Phase.PRELAUNCH);
    phase = Phase.PAD_ABORT;
  }

  public void failure_gt5() {
    only(Phase.PRELAUNCH);
    phase = Phase.HOLD;
  }

  public void stage1Separation() {
    only(Phase.FIRST_STAGE);
    phase = Phase.SECOND_STAGE;
  }

  public void lasJettison() { only(Phase.SECOND_STAGE); }

  public void stage2Separation() {
    only(Phase.SECOND_STAGE);
    phase = Phase.EARTH_INSERTION;
  }

  private void abort(Phase inFirstStage, boolean failed) {
    switch (phase) {
      case FIRST_STAGE:
        phase = inFirstStage;
        break;
      case SECOND_STAGE:
        phase = failed ? Phase.ABORT_PASSIVE : Phase.ABORT_HIGH;
        break;
      default:
        throw new IllegalStateException();
    }
    controlMotorFailed = failed;
  }

  public void abort_lo_c() { abort(Phase.ABORT_LOW, false); }

  public void abort_lo_n() { abort(Phase.ABORT_PASSIVE, true); }

  public void abort_hi_c() { abort(Phase.ABORT_HIGH, false); }

  public void abort_hi_n() { abort(Phase.ABORT_HIGH, true); }

  public void completion() {
    switch (phase) {
      case PAD_ABORT:
      case HOLD:
        phase = Phase.END;
        break;
      case ABORT_PASSIVE:
        phase = Phase.CHUTE;
        break;
      case ABORT_LOW:
      case ABORT_HIGH:
        if (controlMotorFailed) throw new IllegalStateException();
        phase = Phase.CHUTE;
        break;
      default:
        throw new IllegalStateException();
    }
  }
}
