// A promise and its future in one object.
// tacit: --error throws:std::future_error
// legal: fill arm take:returns=1
// legal: arm take take fill take
// refused: fill take
// refused: arm arm
// refused: fill fill
// refused: arm fill take take
#include <future>
class T {
  std::promise<int> p_;
  std::future<int> f_;
  bool full_ = false;

public:
  void fill(int x) {
    p_.set_value(x);
    full_ = true;
  }
  void arm() { f_ = p_.get_future(); }
  int take() {
    if (!full_) return 0;
    f_.get();
    return 1;
  }
};
