#include <array>
#include <optional>
#include <stdexcept>
class Seats {
public:
  void book(int i, int who) {
    if (i < 0 || i >= 4) throw std::out_of_range("no such seat");
    if (seats_[i]) throw std::logic_error("taken");
    seats_[i] = who;
  }
  void cancel(int i) {
    if (!seats_.at(i).has_value()) throw std::logic_error("free");
    seats_[i].reset();
  }

private:
  std::array<std::optional<int>, 4> seats_;
};
