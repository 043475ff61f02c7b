// One exception becomes another; the base class is caught by reference.
#include <stdexcept>
struct Low : std::runtime_error {
  Low() : std::runtime_error("low") {}
};
struct High : std::logic_error {
  High() : std::logic_error("high") {}
};
class T {
  int level = 0;
  void check() {
    if (level == 0) throw Low();
  }

public:
  void up() { level = 1; }
  void use() {
    try {
      check();
    } catch (const std::exception&) {
      throw High();
    }
  }
  void down() { level = 0; }
};
