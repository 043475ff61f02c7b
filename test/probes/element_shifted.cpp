/* An element has another index once something was put before it. refuse: use */
#include <cassert>
#include <deque>
class T {
  std::deque<int> items{};

public:
  T() { items.push_back(1); }
  void mark() {
    int& first = items.front();
    items.push_front(0);
    first = 3;
  }
  void use() { assert(items.front() != 0); }
};
