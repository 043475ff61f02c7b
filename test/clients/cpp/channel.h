// A channel: connected once, used while connected, closed once.
#pragma once
#include <stdexcept>

struct Refused : std::runtime_error {
  Refused() : std::runtime_error("refused") {}
};

class Channel {
public:
  Channel() {}
  ~Channel() {}

  void connect(int port) {
    if (open_) throw std::logic_error("connected already");
    if (port <= 0) throw std::invalid_argument("port");
    if (!dial(port)) throw Refused();
    open_ = true;
  }
  bool try_connect(int port) {
    if (open_) throw std::logic_error("connected already");
    open_ = dial(port);
    return open_;
  }
  int send(int n) {
    if (!open_) throw std::logic_error("not connected");
    sent_ += n;
    return n;
  }
  void close() {
    if (!open_) throw std::logic_error("not connected");
    open_ = false;
  }
  bool is_open() const { return open_; }

private:
  static bool dial(int port);
  bool open_ = false;
  int sent_ = 0;
};
