// expect with_lambda_kept: violates close
// expect with_lambda_copy: violates send
// expect with_placement: violates send
// expect with_ref_member: violates send
// expect with_same: conditional
#include "channel.h"
#include <new>
void with_lambda_kept() {
  Channel a;
  a.connect(1);
  auto f = [&] { a.close(); };
  f();
  f();
}
void with_lambda_copy() {
  Channel a;
  auto f = [a]() mutable { a.send(1); };
  a.connect(1);
  f();
}
template <class F> void twice(F f) {
  f();
  f();
}
void with_placement() {
  alignas(Channel) char b[sizeof(Channel)];
  Channel* p = new (b) Channel;
  p->connect(1);
  p->~Channel();
  new (b) Channel;
  p->send(1);
}
void with_ref_member() {
  Channel a;
  struct R {
    Channel& c;
  } r{a};
  r.c.connect(1);
  a.close();
  r.c.send(1);
}
void with_same(Channel& a, Channel& b) {
  if (&a == &b) {
    a.close();
    b.close();
  }
}
