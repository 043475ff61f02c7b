// An enumeration used as a set of bits is a number.
#include <cassert>
enum Flag { Read = 1, Write = 2 };
class T {
  int flags = 0;

public:
  void allow(bool write) { flags |= write ? Write : Read; }
  void read() { assert(flags & Read); }
  void write() { assert((flags & Write) != 0); }
  void reset() { flags &= ~(Read | Write); }
};
