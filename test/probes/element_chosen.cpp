/* One of two elements, chosen at run time, is written. refuse: use */
#include <cassert>
#include <vector>
class T {
  struct Item {
    int state;
  };
  std::vector<Item> items;

public:
  void add() { items.push_back(Item{0}); }
  void poke(bool first) {
    if (items.empty()) return;
    Item& item = first ? items.front() : items.back();
    item.state = 1;
  }
  void use() { assert(items.empty() || items.back().state == 0); }
};
