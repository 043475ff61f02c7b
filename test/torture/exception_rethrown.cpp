// Caught, noted, thrown again.
#include <stdexcept>
class T {
  bool broken = false, open = false;
  void check() const {
    if (!open) throw std::logic_error("closed");
  }

public:
  void start() { open = true; }
  void use() {
    try {
      check();
    } catch (...) {
      broken = true;
      throw;
    }
  }
  void stop() {
    if (broken) throw std::runtime_error("broken");
    open = false;
  }
};
