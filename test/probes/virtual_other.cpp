// A virtual call on another object may do anything it is handed.
// refuse: use
#include <cassert>
struct Listener {
  virtual ~Listener() = default;
  virtual int ask() = 0;
};
class T {
  Listener* l = nullptr;
  int got = 0;

public:
  void bind(Listener* x) { l = x; }
  void poke() {
    if (l) got = l->ask();
  }
  void use() { assert(got == 0); }
};
