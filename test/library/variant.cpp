// A state that is one of several types.
// legal: start stop start
// refused: start start
// refused: stop
#include <cassert>
#include <variant>
class T {
  struct Idle {};
  struct Running {
    int n = 0;
  };
  std::variant<Idle, Running> state;

public:
  void start() {
    assert(std::holds_alternative<Idle>(state));
    state = Running{1};
  }
  void stop() {
    assert(std::holds_alternative<Running>(state));
    state = Idle{};
  }
};
