/* The same, where a helper that calls itself puts it there. refuse: use */
#include <cassert>
#include <deque>
class T {
  std::deque<int> items{};
  void pad(int count) {
    if (count == 0) return;
    items.push_front(0);
    pad(count - 1);
  }

public:
  T() { items.push_back(1); }
  void mark() {
    int& first = items.front();
    pad(1);
    first = 3;
  }
  void use() { assert(items.front() != 0); }
};
