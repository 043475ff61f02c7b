// State pattern with static state objects.
#include <cassert>
class T {
  struct S {
    virtual const S* next() const = 0;
    virtual bool final() const { return false; }
  };
  struct A : S {
    const S* next() const override;
  };
  struct B : S {
    const S* next() const override { return nullptr; }
    bool final() const override { return true; }
  };
  static const A a;
  static const B b;
  const S* s_ = &a;

public:
  void next() {
    assert(s_);
    s_ = s_->next();
  }
  void finish() {
    assert(s_ && s_->final());
    s_ = &a;
  }
};
const T::A T::a;
const T::B T::b;
const T::S* T::A::next() const { return &b; }
