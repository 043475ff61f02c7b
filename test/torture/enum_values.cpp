// Enumerators with gaps; the result is one of them.
#include <cassert>
enum Code { Fine = 3, Bad = 7, Worse = -2 };
class T {
  Code last = Fine;

public:
  Code run(int x) {
    last = x > 0 ? Fine : x < 0 ? Worse : Bad;
    return last;
  }
  void again() { assert(last == Fine); }
  void after_bad() { assert(last != Fine && last > 0); }
};
