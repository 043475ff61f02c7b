// CRTP with state in base.
#include <cassert>
template <class D> class Machine {
protected:
  int st_ = 0;

public:
  void start() {
    static_cast<D*>(this)->on_start();
    st_ = 1;
  }
  void stop() {
    assert(st_ == 1);
    static_cast<D*>(this)->on_stop();
    st_ = 0;
  }
};
class T : public Machine<T> {
  friend class Machine<T>;
  int k_ = 0;
  void on_start() {
    assert(k_ < 2);
    k_++;
  }
  void on_stop() { assert(st_); }

public:
  void reset() {
    assert(st_ == 0);
    k_ = 0;
  }
};
