// A map that must hold something.
// legal: add check
// refused: add clear check
#include <cassert>
#include <map>
#include <string>
class T {
  std::map<int, std::string> names;

public:
  void add(int k) { names[k] = "x"; }
  void check() { assert(!names.empty()); }
  void clear() { names.clear(); }
};
