// An exception that own code catches is no error.
#include <stdexcept>
class T {
  int n = 0;
  void step() {
    if (n >= 2) throw std::runtime_error("full");
    ++n;
  }

public:
  void add() {
    try {
      step();
    } catch (const std::runtime_error&) {
      n = 0;
    }
  }
  void take() {
    if (n == 0) throw std::logic_error("empty");
    --n;
  }
};
