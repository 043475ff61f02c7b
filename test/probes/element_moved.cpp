/* An algorithm moves elements about. refuse: use */
#include <algorithm>
#include <cassert>
#include <vector>
class T {
  std::vector<int> items;

public:
  void add() {
    items.push_back(1);
    items.push_back(0);
  }
  void turn() { std::reverse(items.begin(), items.end()); }
  void use() { assert(items.empty() || items.back() == 0); }
};
