/* What is no number does not equal itself. refuse: use */
#include <cassert>
#include <cmath>
class T {
  double level = 0;

public:
  void lose() { level = NAN; }
  void use() { assert(level == level); }
};
