/* A method is called through a pointer to member. refuse: use */
#include <cassert>
class T {
  int pad = 0;
  int n = 0;
  void (T::*step)() = nullptr;
  void one() { n = 1; }
  void two() { n = 0; }

public:
  void set(bool b) { step = b ? &T::one : &T::two; }
  void run() {
    if (step) (this->*step)();
  }
  void use() { assert(n == 0); }
};
