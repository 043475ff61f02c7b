/* The ascent of nasa_cev_ascent.tir in C: the docked modules are the bits of one number. */
#include <assert.h>
#include <stdbool.h>

enum phase {
  PRELAUNCH,
  FIRST_STAGE,
  SECOND_STAGE,
  PAD_ABORT,
  HOLD,
  ABORT_PASSIVE,
  ABORT_LOW,
  ABORT_HIGH,
  EARTH_INSERTION,
  CHUTE,
  END
};

static enum phase phase = PRELAUNCH;
static bool motor_failure;
static struct {
  bool stage1, stage2, las, cm, sm;
} docked = {true, true, true, true, true};

static void drop_launcher(void) { docked.las = docked.sm = docked.stage1 = docked.stage2 = false; }

void srbIgnition(void) {
  assert(phase == PRELAUNCH);
  phase = FIRST_STAGE;
}

void stage1Separation(void) {
  assert(phase == FIRST_STAGE);
  docked.stage1 = false;
  phase = SECOND_STAGE;
}

void lasJettison(void) {
  assert(phase == SECOND_STAGE);
  docked.las = false;
}

void stage2Separation(void) {
  assert(phase == SECOND_STAGE);
  docked.stage2 = false;
  phase = EARTH_INSERTION;
}

void failure(int tminus) {
  assert(phase == PRELAUNCH);
  phase = tminus <= 5 ? PAD_ABORT : HOLD;
}

void abort_mission(int altitude, bool motor_fired) {
  switch (phase) {
  case FIRST_STAGE:
    if (altitude >= 120000)
      phase = ABORT_HIGH;
    else if (motor_fired)
      phase = ABORT_LOW;
    else
      phase = ABORT_PASSIVE;
    break;
  case SECOND_STAGE: phase = motor_fired ? ABORT_HIGH : ABORT_PASSIVE; break;
  default: assert(0);
  }
  motor_failure |= !motor_fired;
}

void completion(void) {
  switch (phase) {
  case PAD_ABORT:
  case HOLD: phase = END; return;
  case ABORT_LOW: assert(!motor_failure); /* fall through */
  case ABORT_PASSIVE:
    drop_launcher();
    phase = CHUTE;
    return;
  case ABORT_HIGH:
    assert(!motor_failure);
    phase = CHUTE;
    return;
  default: assert(0);
  }
}
