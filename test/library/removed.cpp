// Elements that `remove_if` has moved are not where they were.
// legal: add mark use
// refused: add use
// refused: add mark tidy use
#include <algorithm>
#include <cassert>
#include <vector>
class T {
  struct Item {
    int id;
    bool marked;
  };
  std::vector<Item> items;
  int wanted = 1;

public:
  void add() { items.push_back({wanted, false}); }
  void mark() {
    for (auto& item : items)
      if (item.id == wanted) {
        item.marked = true;
        return;
      }
  }
  void tidy() {
    (void)std::remove_if(items.begin(), items.end(), [](const Item& item) { return item.id == 1; });
  }
  void use() {
    for (const auto& item : items)
      if (item.id == wanted) {
        assert(item.marked);
        return;
      }
    assert(false);
  }
};
