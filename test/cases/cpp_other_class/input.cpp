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

/* Handed in, but a copy of it is a part of the object. */
class Item {
  bool used_ = false;

public:
  void use() {
    if (used_) throw std::logic_error("used");
    used_ = true;
  }
};
class Box {
  Item mine_;
  bool full_ = false;

public:
  void put(const Item& i) {
    if (full_) throw std::logic_error("full");
    mine_ = i;
    full_ = true;
  }
  void go() { mine_.use(); }
};
