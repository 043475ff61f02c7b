// A polymorphic object held by value and pointed to.
#include <cassert>
struct S {
  virtual int id() const { return 0; }
};
struct S1 : S {
  int id() const override { return 1; }
};
struct S2 : S {
  int id() const override { return 2; }
};
class T {
  S1 one_;
  S2 two_;
  S* cur_ = &one_;

public:
  void flip() { cur_ = cur_->id() == 1 ? static_cast<S*>(&two_) : &one_; }
  void need() { assert(cur_->id() == 2); }
};
