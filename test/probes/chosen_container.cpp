/* One of two containers, chosen at run time, grows. refuse: use */
#include <cassert>
#include <vector>
class T {
  int pad = 0;
  std::vector<int> a, b;

public:
  void add(bool left) {
    std::vector<int>* p = left ? &a : &b;
    p->push_back(1);
  }
  void use() { assert(a.empty()); }
};
