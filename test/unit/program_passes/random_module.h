// Random `.tir` modules with nested calls, handlers, loops and opaque callees; the same seed gives
// the same text.
#pragma once

#include <random>
#include <string>

#include <fmt/format.h>

namespace tacit {

class RandomModule {
public:
  explicit RandomModule(unsigned seed) : random_(seed) {}

  std::string text() {
    std::string module = R"(component R
exception A
exception B : A
exception C
enum Mode { Off, On, Hot }
state x : int [0..3] = 0
state y : int [0..3] = 1
state mode : Mode = Off
extern e0(i : int) : int [0..2] throws A writes y;
extern e1(i : int) : int throws B, C ensures result == i;
extern e2(i : int) : int { if (*) { mode := Hot; throw C; } return i + 1; }
)";
    for (callees_ = 0; callees_ < 3; ++callees_)
      module += procedure("procedure", fmt::format("p{}", callees_));
    module += procedure("method", "m0") + procedure("method", "m1");
    return module;
  }

private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  std::string number() {
    static constexpr const char* forms[] = {"0", "1",     "2",     "x",     "y",    "a",
                                            "r", "x + 1", "r - 1", "y - x", "a * 2"};
    return forms[pick(11)];
  }

  std::string condition() {
    static constexpr const char* forms[] = {
        "x < y",  "a == 0", "r > 1",  "mode == On",       "mode != Hot && x == 0",
        "x == 2", "y >= 1", "e == B", "e == A || a == 1", "*"};
    return forms[pick(10)];
  }

  std::string call() {
    const int choice = pick(callees_ + 3);
    const std::string name =
        choice < callees_ ? fmt::format("p{}", choice) : fmt::format("e{}", choice - callees_);
    return fmt::format("{}call {}({});", pick(3) == 0 ? "" : "r := ", name, number());
  }

  std::string handlers() {
    static constexpr const char* types[] = {"A", "B", "C", "*"};
    std::string text;
    for (int i = pick(2); i >= 0; --i)
      text +=
          fmt::format(" catch ({}{}) {{ {} }}", types[pick(4)], pick(2) == 0 ? " e" : "", block(1));
    return text;
  }

  std::string statement(int depth) {
    static constexpr const char* thrown[] = {"A", "B", "C", "e"};
    switch (pick(depth > 0 ? 13 : 7)) {
    case 0: return fmt::format("x := {};", number());
    case 1: return fmt::format("y := {};", number());
    case 2: return fmt::format("mode := {};", pick(2) == 0 ? "On" : "Hot");
    case 3: return fmt::format("r := {};", number());
    case 4:
    case 5: return call();
    case 6:
      return pick(3) == 0   ? fmt::format("throw {};", thrown[pick(4)])
             : pick(4) == 0 ? "error Bad;"
             : pick(3) == 0 ? fmt::format("return {};", number())
                            : std::string("n := n + 1;");
    case 7:
      return fmt::format("while (n < {}) {{ n := n + 1; {} }}", 1 + pick(3), block(depth - 1));
    case 8:
    case 9:
      return fmt::format("if ({}) {{ {} }} else {{ {} }}", condition(), block(depth - 1),
                         block(depth - 1));
    default: return fmt::format("try {{ {} {} }}{}", call(), block(depth - 1), handlers());
    }
  }

  std::string block(int depth) {
    std::string text;
    for (int i = pick(3); i >= 0; --i) text += statement(depth) + " ";
    return text;
  }

  std::string procedure(const char* kind, const std::string& name) {
    return fmt::format("{} {}(a : int [0..2]) : int {{ var n : int; var r : int; var e : "
                       "exception; {} {} return r; }}\n",
                       kind, name, block(2), call());
  }

  std::mt19937 random_;
  int callees_ = 0;
};

} // namespace tacit
