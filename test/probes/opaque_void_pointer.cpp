/* A private object is handed over as void*. refuse: use */
#include <cassert>
void opaque(void*);
struct Impl {
  int s = 0;
};
class T {
  Impl* p;

public:
  T() : p(new Impl) {}
  void load() { opaque((void*)p); }
  void use() { assert(p->s == 0); }
};
