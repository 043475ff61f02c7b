/* All elements are written in a loop, and one by an iterator that has moved. refuse: use refuse:
 * look */
#include <cassert>
#include <map>
class T {
  struct Item {
    int state;
    int other;
  };
  std::map<int, Item> items;

public:
  void add(int key) { items.emplace(key, Item{0, 0}); }
  void mark() {
    for (auto& [key, item] : items) item.state = 1;
  }
  void next(int key) {
    auto it = items.find(key);
    if (it == items.end()) return;
    ++it;
    if (it != items.end()) it->second.other = 1;
  }
  void use(int key) { assert(!items.count(key) || items.at(key).state == 0); }
  void look(int key) { assert(!items.count(key) || items.at(key).other == 0); }
};
