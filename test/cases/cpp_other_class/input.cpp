#include <stdexcept>
class Engine {
  bool on_ = false;

public:
  void start() {
    if (on_) throw std::logic_error("on");
    on_ = true;
  }
};
class Car {
  Engine e_;

public:
  void go() { e_.start(); }
};
