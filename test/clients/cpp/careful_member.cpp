// expect Careful::start: follows
// expect Careful::go: follows
// expect Careful::stop: follows
#include "channel.h"
class Careful {
public:
  bool start() { return c_.is_open() || c_.try_connect(1); }
  void go() {
    if (c_.is_open()) c_.send(2);
  }
  void stop() {
    if (c_.is_open()) c_.close();
  }

private:
  int used_ = 0;
  Channel c_;
};
void use(Careful& c) { c.go(); }
