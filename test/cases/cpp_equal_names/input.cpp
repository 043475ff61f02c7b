#include <stdexcept>
#include <vector>
class Inbox {
  bool busy_ = false;
  std::vector<int> queue_;

public:
  void lock_in() {
    if (busy_) throw std::logic_error("in");
    busy_ = true;
  }
  void fill_in() { queue_.push_back(1); }
  void drain_in() {
    if (queue_.empty()) throw std::logic_error("nothing in");
    queue_.clear();
  }
};
class Outbox {
  bool busy_ = false;
  std::vector<int> queue_;

public:
  void lock_out() {
    if (busy_) throw std::logic_error("out");
    busy_ = true;
  }
  void drain_out() {
    if (queue_.empty()) throw std::logic_error("nothing out");
    queue_.clear();
  }
};
class Mailbox : public Inbox, public Outbox {};
