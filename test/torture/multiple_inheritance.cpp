// Two bases, one at an offset.
#include <cassert>
struct Left {
protected:
  int l = 0;

public:
  void left() { l = 1; }
};
struct Right {
protected:
  int r = 0;

public:
  void right() {
    assert(r == 0);
    r = 1;
  }
};
class T : public Left, public Right {
public:
  void both() {
    assert(l == 1 && r == 1);
    l = r = 0;
  }
};
