// Derived objects with data, replaced at run time.
#include <cassert>
#include <memory>
class T {
  struct B {
    virtual ~B() {}
    virtual bool take() = 0;
  };
  struct Lim : B {
    int n;
    explicit Lim(int k) : n(k) {}
    bool take() override {
      if (n == 0) return false;
      --n;
      return true;
    }
  };
  struct Inf : B {
    bool take() override { return true; }
  };
  std::unique_ptr<B> b_{new Inf};

public:
  void limit() { b_.reset(new Lim(1)); }
  void unlimit() { b_.reset(new Inf); }
  void take() { assert(b_->take()); }
};
