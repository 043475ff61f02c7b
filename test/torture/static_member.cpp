// A static member counts.
#include <stdexcept>
class T {
  static int live_;
  static constexpr int max = 2;
  int id_ = -1;

public:
  void acquire() {
    if (id_ >= 0) throw std::logic_error("has");
    if (live_ == max) throw std::runtime_error("full");
    id_ = live_++;
  }
  void release() {
    if (id_ < 0) throw std::logic_error("none");
    --live_;
    id_ = -1;
  }
};
int T::live_ = 0;
