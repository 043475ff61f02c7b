// A queue with a bound: elements are there before they are taken.
// legal: put take
// refused: clear take
// refused: put clear take
#include <cassert>
#include <deque>
class T {
  std::deque<int> items;

public:
  void put(int x) { items.push_back(x); }
  int take() {
    assert(!items.empty());
    const int x = items.front();
    items.pop_front();
    return x > 0;
  }
  void clear() { items.clear(); }
};
