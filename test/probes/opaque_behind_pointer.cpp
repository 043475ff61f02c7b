/* The callee follows a pointer in what it is handed. refuse: use */
#include <cassert>
struct Inner {
  int x = 0;
};
struct Impl {
  Inner* q;
};
void opaque(Impl*);
class T {
  Impl* p;

public:
  T() : p(new Impl) { p->q = new Inner; }
  void load() { opaque(p); }
  void use() { assert(p->q->x == 0); }
};
