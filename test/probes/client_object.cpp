// The client changes its own object between two calls.
// refuse: use
#include <cassert>
struct Options {
  int mode = 0;
};
class T {
  const Options* options = nullptr;

public:
  void bind(const Options* o) {
    if (o && o->mode == 0) options = o;
  }
  void use() { assert(!options || options->mode == 0); }
};
