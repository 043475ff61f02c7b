/* The address of a field is kept in an integer. refuse: use */
#include <cassert>
#include <cstdint>
class T {
  int pad = 0;
  int n = 0;
  std::uintptr_t where = 0;

public:
  void keep() { where = reinterpret_cast<std::uintptr_t>(&n); }
  void write() {
    if (where) *reinterpret_cast<int*>(where) = 1;
  }
  void use() { assert(n == 0); }
};
