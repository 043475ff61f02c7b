/* A lambda that asserts runs inside of a library algorithm. refuse: sort */
#include <algorithm>
#include <cassert>
#include <vector>
class T {
  std::vector<int> v;
  bool open = true;

public:
  void close() { open = false; }
  void sort() {
    std::sort(v.begin(), v.end(), [this](int a, int b) {
      assert(open);
      return a < b;
    });
  }
};
