#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

struct Idle {};
struct Busy {
  int job;
  bool paused = false;
};
struct Failed {
  std::string why;
};

class Worker {
public:
  void start(int job) {
    if (!std::holds_alternative<Idle>(state_)) throw std::logic_error("not idle");
    if (job <= 0) throw std::invalid_argument("job");
    state_ = Busy{job};
  }
  void pause() {
    auto& busy = std::get<Busy>(state_);
    if (busy.paused) throw std::logic_error("paused");
    busy.paused = true;
  }
  void resume() {
    auto* busy = std::get_if<Busy>(&state_);
    if (!busy || !busy->paused) throw std::logic_error("not paused");
    busy->paused = false;
  }
  void done(int job) {
    if (std::get<Busy>(state_).job != job) throw std::invalid_argument("another job");
    state_ = Idle{};
  }
  void fail(std::string why) {
    if (!std::get_if<Busy>(&state_)) throw std::logic_error("not busy");
    state_ = Failed{std::move(why)};
  }
  void reset() { state_ = Idle{}; }

private:
  std::variant<Idle, Busy, Failed> state_;
};
