// Constants and constexpr functions.
#include <cassert>
class T {
  static constexpr int limit = 2;
  static constexpr int twice(int x) { return 2 * x; }
  int n = 0;

public:
  void add() {
    assert(n < twice(limit));
    n += limit;
  }
  void clear() { n = 0; }
};
