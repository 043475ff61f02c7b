// State pattern with virtual functions and unique_ptr.
#include <memory>
#include <stdexcept>
class T {
  struct State {
    virtual ~State() = default;
    virtual std::unique_ptr<State> open() = 0;
    virtual std::unique_ptr<State> close() = 0;
  };
  struct Closed : State {
    std::unique_ptr<State> open() override;
    std::unique_ptr<State> close() override { throw std::logic_error("closed"); }
  };
  struct Open : State {
    std::unique_ptr<State> open() override { throw std::logic_error("open"); }
    std::unique_ptr<State> close() override { return std::make_unique<Closed>(); }
  };
  std::unique_ptr<State> s_ = std::make_unique<Closed>();

public:
  void open() { s_ = s_->open(); }
  void close() { s_ = s_->close(); }
};
std::unique_ptr<T::State> T::Closed::open() { return std::make_unique<Open>(); }
