// State in a base class, a call inherited.
#include <stdexcept>
class Base {
protected:
  bool open_ = false;

public:
  void open() { open_ = true; }
};
class T : public Base {
public:
  void read() {
    if (!open_) throw std::logic_error("closed");
  }
  void close() { open_ = false; }
};
