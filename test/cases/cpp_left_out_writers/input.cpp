#include <cassert>
int verbosity = 0;
class Base {
protected:
  int mode_ = 0;

public:
  void reset() { mode_ = 9; }
};
class Device : public Base {
  static inline int limit_ = 0;
  int users_ = 0;

public:
  class Lease {
    Device& of_;

  public:
    explicit Lease(Device& of) : of_(of) { ++of_.users_; }
  };
  static void raise() { ++limit_; }
  static int twice(int n) { return 2 * n; }
  friend void meddle(Device& d) { d.users_ = 1; }
  void reset() { mode_ = 0; }
  void use() { assert(mode_ == 0 && limit_ == 0 && users_ == 0 && verbosity == 0); }
};
