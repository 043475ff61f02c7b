/* An object is handed over as its base. refuse: use */
#include <cassert>
struct Base {
  virtual ~Base() {}
};
struct Derived : Base {
  int s = 0;
};
void opaque(Base*);
class T {
  Derived* p;

public:
  T() : p(new Derived) {}
  void load() { opaque(p); }
  void use() { assert(p->s == 0); }
};
