// The library calls back into the object.
// refuse: use
#include <algorithm>
#include <cassert>
#include <vector>
class T {
  std::vector<int> v;
  int x = 0;

public:
  void add(int n) { v.push_back(n); }
  void poke() {
    std::for_each(v.begin(), v.end(), [this](int n) {
      if (n) x = 1;
    });
  }
  void use() { assert(x == 0); }
};
