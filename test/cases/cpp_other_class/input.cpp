#include <memory>
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

/* Handed in, and made by the component as well: by new, by make_unique, as a local. */
class Maker {
  std::unique_ptr<Item> mine_;

public:
  void reset() { mine_ = std::make_unique<Item>(); }
  void merge(const Item& other) { (void)other; }
  void go() {
    if (mine_) mine_->use();
  }
};
class Old {
  Item* mine_;

public:
  Old() : mine_(new Item) {}
  Old(const Old&) = delete;
  ~Old() { delete mine_; }
  void merge(const Item& other) { (void)other; }
  void go() { mine_->use(); }
};
