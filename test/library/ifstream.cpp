// Reading from a stream that is good.
// legal: open:returns=true read
// refused: open:returns=true close read
#include <cassert>
#include <fstream>
class T {
  std::ifstream file;

public:
  bool open() {
    if (file.is_open()) file.close();
    file.clear();
    file.open("/dev/zero");
    return static_cast<bool>(file);
  }
  void read() { assert(file.is_open() && !file.fail()); }
  void close() { file.close(); }
};
