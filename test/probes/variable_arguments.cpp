/* What va_arg gives is not known. refuse: use */
#include <cassert>
#include <cstdarg>
class T {
  int pad = 0;
  int n = 0;

public:
  void log(int k, ...) {
    va_list a;
    va_start(a, k);
    n = va_arg(a, int);
    va_end(a);
  }
  void use() { assert(n == 0); }
};
