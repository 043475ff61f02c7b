// Handlers are tried in order.
#include <stdexcept>
struct A {};
struct B : A {};
class T {
  int last = 0;
  void raise(int what) {
    if (what == 1) throw B();
    if (what == 2) throw A();
    if (what > 2) throw 7;
  }

public:
  void go(int what) {
    try {
      raise(what);
      last = 0;
    } catch (B&) {
      last = 1;
    } catch (A&) {
      last = 2;
    } catch (...) {
      last = 3;
    }
  }
  void only_b() {
    if (last != 1) throw std::logic_error("not B");
  }
  void only_a() {
    if (last != 2) throw std::logic_error("not A");
  }
};
