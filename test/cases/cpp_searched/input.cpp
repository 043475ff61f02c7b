#include <algorithm>
#include <stdexcept>
#include <vector>
struct Sub {
  int id;
  int kind;
};
class Hub {
public:
  void add(int id) { subs_.push_back({id, 1}); }
  void remove(int id) {
    const auto it =
        std::find_if(subs_.begin(), subs_.end(), [id](const Sub& s) { return s.id == id; });
    if (it == subs_.end()) throw std::out_of_range("unknown");
    subs_.erase(it);
  }

private:
  std::vector<Sub> subs_;
};

// All have to be ready before it starts.
class Room {
public:
  void add(int id) {
    for (const auto& s : subs_)
      if (s.id == id) throw std::logic_error("twice");
    subs_.push_back({id, 0});
  }
  void ready(int id) {
    for (auto& s : subs_)
      if (s.id == id) {
        s.kind = 1;
        return;
      }
    throw std::out_of_range("unknown");
  }
  void start() {
    if (!std::all_of(subs_.begin(), subs_.end(), [](const Sub& s) { return s.kind == 1; }))
      throw std::logic_error("not ready");
  }

private:
  std::vector<Sub> subs_;
};
