/* Streams write into fields, also into the first one. refuse: use refuse: usen */
#include <cassert>
#include <istream>
class T {
  int state = 0;
  int n = 0;

public:
  void load(std::istream& in) { in >> state; }
  void loadn(std::istream& in) { in.read(reinterpret_cast<char*>(&n), sizeof n); }
  void use() { assert(state == 0); }
  void usen() { assert(n == 0); }
};
