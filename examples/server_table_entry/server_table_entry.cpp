// An entry of a table of servers: which calls its life cycle allows. Port and process numbers do
// not matter.
#include <stdexcept>

namespace activation {

struct Internal : std::runtime_error {
  Internal() : std::runtime_error("INTERNAL") {}
};

class ServerTableEntry {
public:
  explicit ServerTableEntry(int server_id) : server_id_(server_id) {}

  void activate() { state_ = ACTIVATED; }

  void register_(int orb) {
    if (state_ != ACTIVATED) throw Internal();
    orb_ = orb;
  }

  void registerPorts(int port) {
    if (state_ == ACTIVATED) {
      port_ = port;
      state_ = RUNNING;
    }
  }

  int install() {
    if (state_ != RUNNING) throw Internal();
    return server_id_ + port_;
  }

  void uninstall() {
    if (state_ != RUNNING) throw Internal();
    state_ = DE_ACTIVATED;
  }

  void holdDown() { state_ = HELD_DOWN; }

private:
  enum State { DE_ACTIVATED, ACTIVATING, ACTIVATED, RUNNING, HELD_DOWN };

  State state_ = ACTIVATING;
  int server_id_;
  int orb_ = 0;
  int port_ = 0;
};

} // namespace activation
