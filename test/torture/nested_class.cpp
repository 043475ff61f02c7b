// A nested class with state of its own, on the heap.
#include <list>
#include <stdexcept>
class T {
  class Session {
    bool valid_ = true;
    int id_;

  public:
    explicit Session(int i) : id_(i) {}
    void touch() {
      if (!valid_) throw std::logic_error("invalid");
    }
    void kill() { valid_ = false; }
    bool valid() const { return valid_; }
  };
  Session* s_ = nullptr;
  int next_ = 0;

public:
  void login() {
    if (s_) throw std::logic_error("in");
    s_ = new Session(next_++);
  }
  void act() {
    if (!s_) throw std::logic_error("out");
    s_->touch();
  }
  void expire() {
    if (s_) s_->kill();
  }
  void logout() {
    if (!s_) throw std::logic_error("out");
    delete s_;
    s_ = nullptr;
  }
};
