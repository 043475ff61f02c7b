// A vector's size decides.
#include <cassert>
#include <vector>
class T {
  std::vector<int> v;

public:
  void push(int x) {
    if (v.size() < 2) v.push_back(x);
  }
  void pop() {
    assert(!v.empty());
    v.pop_back();
  }
  void clear() { v.clear(); }
};
