/* The address of an element is kept, and written through. refuse: use */
#include <cassert>
#include <vector>
class T {
  struct Item {
    int state;
  };
  std::vector<Item> items{};
  Item* last = nullptr;

public:
  void add() {
    items.reserve(8);
    items.push_back(Item{0});
    last = &items.back();
  }
  void poke() {
    if (last) last->state = 1;
  }
  void use() { assert(items.empty() || items.back().state == 0); }
};
