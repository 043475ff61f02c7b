#include <stdexcept>
enum class State { Idle, Armed, Fired, Off };
class Machine {
public:
  void go(State to) {
    if (!allowed_[static_cast<int>(state_)][static_cast<int>(to)]) throw std::logic_error("no way");
    state_ = to;
  }

private:
  State state_ = State::Idle;
  static constexpr bool allowed_[4][4] = {{false, true, false, true},
                                          {true, false, true, true},
                                          {true, false, false, true},
                                          {false, false, false, false}};
};
