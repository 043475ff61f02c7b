// Elements of a vector that are found by what they hold, with a loop and with `find_if`.
// legal: add mark
// refused: use
// refused: add use
// refused: add mark drop use
// refused: drop
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
  Item* get(int id) {
    for (auto& item : items)
      if (item.id == id) return &item;
    return nullptr;
  }
  auto find(int id) {
    return std::find_if(items.begin(), items.end(),
                        [id](const Item& item) { return item.id == id; });
  }

public:
  void add() { items.push_back({wanted, false}); }
  void other() { items.push_back({wanted + 1, false}); }
  void mark() {
    Item* item = get(wanted);
    if (item) item->marked = true;
  }
  void use() {
    auto it = find(wanted);
    assert(it != items.end() && it->marked);
  }
  void drop() {
    auto it = find(wanted);
    assert(it != items.end());
    items.erase(it);
  }
};
