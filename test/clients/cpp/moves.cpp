// expect with_move: violates close
// expect with_copy: violates send
// expect with_copy2: violates send
// expect with_assign: violates send
// expect with_swap: violates send
#include "channel.h"
#include <utility>
void with_move() {
  Channel a;
  a.connect(1);
  Channel b = std::move(a);
  b.send(1);
  b.close();
  a.send(1);
  a.close();
  a.close();
}
void with_copy() {
  Channel a;
  Channel b = a;
  a.connect(1);
  b.send(1);
}
void with_copy2() {
  Channel a;
  a.connect(1);
  Channel b = a;
  b.close();
  b.send(1);
}
void with_assign() {
  Channel a, b;
  a.connect(1);
  a = b;
  a.send(1);
}
void with_swap() {
  Channel a, b;
  a.connect(1);
  std::swap(a, b);
  a.send(1);
}
