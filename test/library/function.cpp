// A handler that must be set before it is called.
// legal: set fire fire
// refused: set drop fire
#include <functional>
#include <stdexcept>
class T {
  std::function<int()> handler;

public:
  void set() {
    handler = [] { return 1; };
  }
  void fire() {
    if (!handler) throw std::logic_error("no handler");
    handler();
  }
  void drop() { handler = nullptr; }
};
