#include <stdexcept>
#include <string>
#include <vector>
class Box {
public:
  void add(int x) {
    items_.push_back(x);
    name_ += 'x';
  }
  std::vector<int> take() {
    if (items_.empty()) throw std::logic_error("empty");
    return std::move(items_);
  }
  std::string name() {
    if (name_.empty()) throw std::logic_error("empty");
    return std::move(name_);
  }

private:
  std::vector<int> items_;
  std::string name_;
};
