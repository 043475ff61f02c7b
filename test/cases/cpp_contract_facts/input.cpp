#include <acme.h>
#include <stdexcept>
class Log {
public:
  void add(int n) { ring_.put(n); }
  void mark() { ring_.put(7); }
  void check() {
    if (ring_.last() != 7) throw std::logic_error("no mark");
  }
  void look() { (void)ring_.is_small(); }
  void mix() { ring_.shuffle(); }

private:
  acme::Ring<int> ring_;
};
