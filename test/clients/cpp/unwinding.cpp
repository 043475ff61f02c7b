// expect with_ctor_throws: violates send
// expect with_dtor: violates send
// expect with_dtor_unwind: violates send
// expect with_dtor_order: violates close
// expect with_dtor_never: violates close
// expect with_catch_logic: violates send
// expect with_refused_then: violates close
// expect with_nested_try: violates send
// expect with_return_in_try: violates close
#include "channel.h"
struct Boom {
  Boom(Channel& c) {
    c.close();
    throw 1;
  }
};
struct Closer {
  Channel& c;
  ~Closer() { c.close(); }
};
void with_ctor_throws() {
  Channel a;
  a.connect(1);
  try {
    Boom b(a);
  } catch (int) {
  }
  a.send(1);
}
void with_dtor() {
  Channel a;
  a.connect(1);
  {
    Closer k{a};
  }
  a.send(1);
}
void with_dtor_unwind() {
  Channel a;
  a.connect(1);
  try {
    Closer k{a};
    throw 1;
  } catch (...) {
  }
  a.send(1);
}
void with_dtor_order() {
  Channel a;
  a.connect(1);
  Closer x{a};
  Closer y{a};
}
void with_dtor_never() {
  Channel a;
  Closer x{a};
  a.connect(1);
}
void with_catch_logic() {
  Channel a;
  try {
    a.send(1);
  } catch (const std::logic_error&) {
  }
}
void with_refused_then() {
  Channel a;
  try {
    a.connect(1);
  } catch (const Refused&) {
    a.close();
  }
}
void with_nested_try() {
  Channel a;
  try {
    try {
      a.connect(1);
      throw 1;
    } catch (long) {
    }
  } catch (int) {
    a.close();
  }
  a.send(1);
}
int with_return_in_try(int n) {
  Channel a;
  try {
    a.connect(1);
    if (n) return 1;
    a.close();
  } catch (...) {
  }
  a.close();
  return 0;
}
