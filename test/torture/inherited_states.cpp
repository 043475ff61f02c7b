// Protected state of a base, and an overridden virtual method that the base calls.
#include <stdexcept>
class Device {
protected:
  enum Status { Off, On, Failed };
  Status status_ = Off;
  virtual bool self_test() { return true; }

public:
  virtual ~Device() = default;
  void power_on() {
    if (status_ != Off) throw std::logic_error("on");
    status_ = self_test() ? On : Failed;
  }
  void power_off() { status_ = Off; }
};
class T : public Device {
  bool paper_ = false;
  bool self_test() override { return paper_; }

public:
  void load() { paper_ = true; }
  void print() {
    if (status_ != On) throw std::logic_error("not ready");
    if (!paper_) throw std::runtime_error("paper");
    paper_ = false;
  }
};
