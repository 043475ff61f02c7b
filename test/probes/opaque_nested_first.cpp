/* A nested object at the start of the object is handed over as void*. refuse: use */
#include <cassert>
class Listener {
public:
  virtual void on() = 0;
};
void opaque(void*, int n);
class T {
  struct {
    int a = 0;
  } in;
  int state = 0;

public:
  void load() { opaque(&in, 4); }
  void use() { assert(in.a == 0); }
};
