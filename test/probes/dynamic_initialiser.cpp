/* A static member is initialised by code. refuse: use */
#include <cassert>
int seed();
class T {
  static inline int limit = seed();

public:
  void use() { assert(limit == 0); }
};
