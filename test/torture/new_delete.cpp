// An object on the heap, owned by the component.
#include <cassert>
class T {
  struct Part {
    int uses = 0;
  };
  Part* part = nullptr;

public:
  void make() {
    assert(!part);
    part = new Part;
  }
  void use() {
    assert(part);
    part->uses = 1;
  }
  void drop() {
    assert(part && part->uses == 1);
    delete part;
    part = nullptr;
  }
};
