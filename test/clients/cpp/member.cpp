// expect Player::start: conditional
// expect Player::play: conditional
// expect Player::stop: conditional
// expect plays: follows
// expect plays_late: violates send
#include "channel.h"
class Player {
public:
  void start() { c_.connect(1); }
  void play() { c_.send(2); }
  void stop() { c_.close(); }

private:
  Channel c_;
};
void plays() {
  Player p;
  p.start();
  p.play();
  p.stop();
}
void plays_late() {
  Player p;
  p.start();
  p.stop();
  p.play();
}
