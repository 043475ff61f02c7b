// expect Holder::go: conditional
// expect with_optional: violates send
// expect with_optional2: violates send
// expect with_pair: violates send
// expect with_tuple: violates send
// expect with_variant: violates send
// expect with_holder: violates send
// expect with_holder_copy: violates send
#include "channel.h"
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
struct Holder {
  Channel c;
  void go() { c.send(1); }
};
void with_optional() {
  std::optional<Channel> o;
  o.emplace();
  o->connect(1);
  o.emplace();
  o->send(1);
}
void with_optional2() {
  std::optional<Channel> o;
  o.emplace();
  o->send(1);
}
void with_pair() {
  std::pair<Channel, Channel> p;
  p.first.connect(1);
  p.second.send(1);
}
void with_tuple() {
  std::tuple<Channel, int> p;
  std::get<0>(p).send(1);
}
void with_variant() {
  std::variant<int, Channel> v;
  v.emplace<1>();
  std::get<1>(v).send(1);
}
void with_holder() {
  Holder h;
  h.go();
}
void with_holder_copy() {
  Holder h;
  h.c.connect(1);
  Holder g;
  h = g;
  h.go();
}
