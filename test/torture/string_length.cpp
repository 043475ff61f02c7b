// A string's length decides.
#include <cassert>
#include <string>
class T {
  std::string s;

public:
  void add() { s.push_back('x'); }
  void clear() { s.clear(); }
  void use() { assert(!s.empty()); }
};
