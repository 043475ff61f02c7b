/* What a copy holds is said by a copy constructor of the element's own. refuse: use */
#include <cassert>
#include <vector>
class T {
  struct Item {
    int copies = 0;
    Item() = default;
    Item(const Item& other) : copies(other.copies + 1) {}
    Item& operator=(const Item&) = default;
  };
  std::vector<Item> items{};

public:
  void add() {
    const Item item;
    items.push_back(item);
  }
  void use() { assert(items.empty() || items[0].copies == 0); }
};
