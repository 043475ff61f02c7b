// Boolean bit-fields and an enumeration in three bits.
#include <cassert>
class T {
  enum Mode : unsigned { Off, On, Stuck };
  bool armed : 1;
  Mode mode : 3;
  bool fired : 1;

public:
  T() : armed(false), mode(Off), fired(false) {}
  void on() {
    assert(mode != Stuck);
    mode = On;
  }
  void arm() {
    assert(mode == On);
    armed = true;
  }
  void fire() {
    assert(armed && !fired);
    fired = true;
    mode = Stuck;
  }
};
