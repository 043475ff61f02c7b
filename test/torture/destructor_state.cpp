// A guard's destructor changes the state, on the way of an exception too.
#include <stdexcept>
class T {
  int depth = 0;
  bool ready = false;
  struct Guard {
    T& t;
    explicit Guard(T& x) : t(x) { ++t.depth; }
    ~Guard() { --t.depth; }
  };

public:
  void prepare() { ready = true; }
  void work() {
    Guard g(*this);
    if (!ready) throw std::logic_error("not ready");
    ready = false;
  }
  void idle() {
    if (depth != 0) throw std::runtime_error("leak");
  }
};
