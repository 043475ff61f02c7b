// A name that must not be empty.
// legal: push use
// legal: add use
// refused: push clear use
#include <cassert>
#include <string>
class T {
  std::string name;

public:
  void push(char c) { name.push_back(c); }
  void add(char c) { name += c; }
  void use() { assert(!name.empty()); }
  void clear() { name.clear(); }
};
