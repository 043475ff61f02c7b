// tacit: --time 4
// An object of the client: any class. refuse: go
#include <cassert>
struct L {
  virtual ~L() = default;
  virtual bool ok() { return true; }
};
struct M : L {
  bool ok() override { return false; }
};
class T {
  L* l_ = nullptr;

public:
  void set(L* l) { l_ = l; }
  void own() { l_ = new L; }
  void go() {
    if (l_) assert(l_->ok());
  }
};
