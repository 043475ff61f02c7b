// One element at the most.
// legal: add add check
// refused: check
#include <cassert>
#include <set>
class T {
  std::set<int> ids;

public:
  void add(int k) {
    ids.clear();
    ids.insert(k);
  }
  void check() { assert(ids.size() == 1); }
};
