// The whole flight of nasa_cev.tir as a C++ class. Events with parameters are split into calls by
// --letter.
#include <cassert>

class Mission {
public:
  void srbIgnition() { advance(Phase::Prelaunch, Phase::FirstStage); }

  void failure(int tminus) {
    assert(phase == Phase::Prelaunch);
    phase = tminus <= 5 ? Phase::PadAbort : Phase::Hold;
  }

  void stage1Separation() {
    advance(Phase::FirstStage, Phase::SecondStage);
    docked.stage1 = false;
  }

  void abort(int altitude, bool motor_fired) {
    if (phase == Phase::FirstStage) {
      if (altitude < 120000)
        phase = motor_fired ? Phase::AbortLow : Phase::AbortPassive;
      else
        phase = Phase::AbortHigh;
    } else {
      assert(phase == Phase::SecondStage);
      phase = motor_fired ? Phase::AbortHigh : Phase::AbortPassive;
    }
    if (!motor_fired) motor_failure = true;
  }

  void lasJettison() {
    assert(phase == Phase::SecondStage);
    docked.las = false;
  }

  void stage2Separation() {
    advance(Phase::SecondStage, Phase::EarthInsertion);
    docked.stage2 = false;
  }

  void lsamRendezvous() {
    assert(phase == Phase::OrbitOps && !docked.las);
    docked.ascent = docked.descent = docked.eds = true;
  }

  void tliBurn() {
    assert(docked.eds);
    advance(Phase::OrbitOps, Phase::EarthMoon);
  }

  void deorbit() {
    assert(!docked.las && !docked.sm && !docked.ascent && !docked.eds);
    advance(Phase::OrbitOps, Phase::EntryInterface);
  }

  void enterOrbitOps() { assert(false && "no phase waits for this"); }

  void edsSeparation() {
    assert(phase == Phase::EarthMoon);
    docked.eds = false;
  }

  void loiBurn() { advance(Phase::EarthMoon, Phase::LunarInsertion); }
  void lsamSeparation() { advance(Phase::LunarOrbit, Phase::Descent); }

  void teiBurn() {
    assert(!docked.ascent && !docked.descent);
    advance(Phase::LunarOrbit, Phase::MoonEarth);
  }

  void lsamAscentBurn() {
    advance(Phase::Surface, Phase::LunarAscent);
    docked.descent = false;
  }

  void lsamAscentRendezvous() {
    advance(Phase::LunarAscent, Phase::Docked);
    docked.ascent = false;
  }

  void smSeparation() {
    assert(phase == Phase::MoonEarth);
    docked.sm = false;
  }

  void eiBurn(bool imbalance, bool rcs_failure) {
    assert(only_crew_module());
    advance(Phase::MoonEarth, imbalance     ? Phase::Ballistic
                              : rcs_failure ? Phase::FixedBank
                                            : Phase::EntryInterface);
  }

  void completion() {
    switch (phase) {
    case Phase::PadAbort:
    case Phase::Hold: phase = Phase::End; break;
    case Phase::AbortLow: assert(!motor_failure); [[fallthrough]];
    case Phase::AbortPassive:
      docked.las = docked.sm = docked.stage1 = docked.stage2 = false;
      phase = Phase::Chute;
      break;
    case Phase::AbortHigh:
      assert(!motor_failure);
      phase = Phase::Chute;
      break;
    case Phase::EarthInsertion: phase = Phase::OrbitOps; break;
    case Phase::LunarInsertion:
    case Phase::Docked: phase = Phase::LunarOrbit; break;
    case Phase::Descent: phase = Phase::Surface; break;
    case Phase::EntryInterface: phase = Phase::NominalEntry; break;
    case Phase::NominalEntry:
    case Phase::Ballistic:
    case Phase::FixedBank: phase = Phase::Chute; break;
    case Phase::Chute:
      assert(only_crew_module());
      phase = Phase::Landing;
      break;
    case Phase::Landing: phase = Phase::End; break;
    default: assert(!"nothing to complete");
    }
  }

private:
  enum class Phase {
    Prelaunch,
    FirstStage,
    SecondStage,
    PadAbort,
    Hold,
    AbortPassive,
    AbortLow,
    AbortHigh,
    EarthInsertion,
    OrbitOps,
    EarthMoon,
    LunarInsertion,
    LunarOrbit,
    Descent,
    Surface,
    LunarAscent,
    Docked,
    MoonEarth,
    EntryInterface,
    NominalEntry,
    Ballistic,
    FixedBank,
    Chute,
    Landing,
    End
  };

  void advance(Phase from, Phase to) {
    assert(phase == from);
    phase = to;
  }

  bool only_crew_module() const {
    return docked.cm && !docked.stage1 && !docked.stage2 && !docked.las && !docked.sm &&
           !docked.eds && !docked.ascent && !docked.descent;
  }

  Phase phase = Phase::Prelaunch;
  bool motor_failure = false;
  struct {
    bool stage1 = true, stage2 = true, las = true, cm = true, sm = true;
    bool eds = false, ascent = false, descent = false;
  } docked;
};
