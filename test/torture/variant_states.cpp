// States as alternatives of a variant.
#include <stdexcept>
#include <variant>
class T {
  struct Idle {};
  struct Playing {
    int track;
  };
  struct Paused {
    int track;
  };
  std::variant<Idle, Playing, Paused> s_;

public:
  void play(int t) {
    if (!std::holds_alternative<Idle>(s_)) throw std::logic_error("busy");
    s_ = Playing{t};
  }
  void pause() {
    auto* p = std::get_if<Playing>(&s_);
    if (!p) throw std::logic_error("not playing");
    s_ = Paused{p->track};
  }
  void resume() {
    auto* p = std::get_if<Paused>(&s_);
    if (!p) throw std::logic_error("not paused");
    s_ = Playing{p->track};
  }
  void stop() { s_ = Idle{}; }
};
