#include <stdexcept>
#include <string>

class Refused : public std::runtime_error {
public:
  explicit Refused(const std::string& what) : std::runtime_error("door: " + what) {}
};

class Door {
public:
  explicit Door(std::string name) : name_(std::move(name)) {}
  void open() {
    if (open_) throw Refused("open already");
    open_ = true;
  }
  void close() {
    if (!open_) throw std::logic_error("not open: " + name_);
    open_ = false;
  }

private:
  std::string name_;
  bool open_ = false;
};
