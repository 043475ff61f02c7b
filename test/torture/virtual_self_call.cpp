// A template method: the hook of the class itself runs.
#include <cassert>
class Base {
protected:
  int n = 0;
  virtual int limit() const { return 1; }

public:
  virtual ~Base() = default;
  void add() {
    assert(n < limit());
    ++n;
  }
};
class T : public Base {
  int limit() const override { return 2; }

public:
  void clear() { n = 0; }
};
