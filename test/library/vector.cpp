// A stack on a vector that also shrinks.
// legal: push total pop
// refused: pop
// refused: push reset pop
#include <cassert>
#include <vector>
class T {
  std::vector<int> items;

public:
  void push(int x) { items.emplace_back(x); }
  void pop() {
    assert(items.size() > 0);
    items.pop_back();
  }
  int total() {
    int n = 0;
    for (int& i : items) n += i;
    return n > 5;
  }
  void reset() { items.resize(0); }
};
