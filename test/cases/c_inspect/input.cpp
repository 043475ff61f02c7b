#include <stdexcept>
void ring(int times);
namespace ns {
class Gate {
  enum class State { Shut, Open } state_ = State::Shut;
  int count_ = 0;

public:
  explicit Gate(int count) : count_(count) {}
  void open() {
    if (state_ == State::Open) throw std::logic_error("open");
    state_ = State::Open;
    ring(count_);
  }
  bool is_open() const { return state_ == State::Open; }
};
} // namespace ns
