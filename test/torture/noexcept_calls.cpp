// What is noexcept does not throw.
#include <stdexcept>
class T {
  bool open = false;

public:
  void start() noexcept { open = true; }
  void stop() noexcept { open = false; }
  void use() noexcept(false) {
    if (!open) throw std::logic_error("closed");
  }
};
