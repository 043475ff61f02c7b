// A log file that is open or not.
// legal: open:returns=true write write
// refused: open:returns=true close write
// refused: open:returns=false write
#include <cassert>
#include <fstream>
#include <string>
class T {
  std::ofstream file;

public:
  bool open() {
    if (file.is_open()) return true;
    file.open("/tmp/tacit-library-test.log");
    return file.is_open();
  }
  void write(int x) {
    assert(file.is_open());
    file << x;
  }
  void close() { file.close(); }
};
