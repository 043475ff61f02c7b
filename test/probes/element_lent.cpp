/* Clients are given an element to write. refuse: use */
#include <cassert>
#include <map>
class T {
  std::map<int, int> items;

public:
  int& at(int key) { return items[key]; }
  void use() { assert(items[3] == 0); }
};
