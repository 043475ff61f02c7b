/* More than one element comes with a range. refuse: use */
#include <cassert>
#include <set>
class T {
  std::set<int> items{};

public:
  void add() {
    if (!items.empty()) return;
    const std::set<int> two{1, 2};
    items.insert(two.begin(), two.end());
  }
  void use() { assert(items.size() < 2); }
};
