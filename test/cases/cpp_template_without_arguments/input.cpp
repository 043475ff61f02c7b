#include <stdexcept>
template <class T> class Slot {
public:
  void put() {
    if (full_) throw std::logic_error("full");
    full_ = true;
  }

private:
  bool full_ = false;
};
