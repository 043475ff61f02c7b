#include "support/random_guarded.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tacit {

namespace {

enum class Kind { Bool, Int, Enum };

struct Name {
  std::string text;
  Kind kind = Kind::Bool;
};

/// Small on purpose: two or three variables, a few calls, and the things that make guards, cells
/// and tracked values: arguments that are compared and stored, results, hidden choices.
class Generator {
public:
  explicit Generator(std::uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15u + 77u) {
    made_.seed = seed;
  }

  RandomGuarded run() {
    environment_ = chance(45);
    unknown_ = chance(12);
    text_ = "component R\nenum E { A, B = 4, C }\nexception X\n";
    for (int i = 0, count = 2 + pick(2); i < count; ++i) state(i);
    if (chance(50))
      for (int i = 0, count = 1 + pick(2); i < count; ++i) constructor(i);
    const int methods = 2 + pick(3);
    for (int i = 0; i < methods; ++i) method(i);
    made_.options.arguments = Arguments::Guarded;
    if (chance(7)) made_.options.blind = {fmt::format("m{}", pick(methods))};
    made_.tir = std::move(text_);
    return std::move(made_);
  }

private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<std::uint64_t>(below)); }
  bool chance(int percent) { return pick(100) < percent; }
  template <class List> const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(pick(static_cast<int>(list.size())))];
  }
  Kind kind() { return static_cast<Kind>(pick(3)); }

  static std::string type(Kind kind) {
    return kind == Kind::Bool ? "bool" : kind == Kind::Int ? "int [0..2]" : "E";
  }
  std::string constant(Kind kind) {
    if (kind == Kind::Bool) return chance(50) ? "true" : "false";
    if (kind == Kind::Int) return std::to_string(pick(3));
    return std::string(1, static_cast<char>('A' + pick(3)));
  }

  void state(int i) {
    const Name v{fmt::format("s{}", i), kind()};
    const bool client = chance(5);
    text_ += fmt::format("{}state {} : {}{}\n", client ? "client " : "", v.text, type(v.kind),
                         chance(8) ? "" : " = " + constant(v.kind));
    state_.push_back(v);
  }

  /// A value of the kind over what is in scope.
  std::string value(Kind kind) {
    std::vector<std::string> ways{constant(kind)};
    for (const auto* list : {&scope_, &state_})
      for (const Name& n : *list)
        if (n.kind == kind) ways.push_back(n.text);
    for (const Name& n : state_) {
      if (n.kind != kind) continue;
      if (kind == Kind::Bool) ways.push_back("!" + n.text);
      if (kind == Kind::Int)
        ways.push_back(chance(50) ? fmt::format("({0} < 2 ? {0} + 1 : {0})", n.text)
                                  : fmt::format("({0} > 0 ? {0} - 1 : {0})", n.text));
    }
    return one_of(ways);
  }

  std::string atom() {
    const bool of_scope = !scope_.empty() && chance(60);
    const Name& n = of_scope ? one_of(scope_) : one_of(state_);
    if (n.kind == Kind::Bool && chance(60)) return chance(50) ? n.text : "!" + n.text;
    const char* compare = n.kind == Kind::Int && chance(50) ? (chance(50) ? "<" : ">")
                          : chance(60)                      ? "=="
                                                            : "!=";
    std::string other = constant(n.kind);
    if (chance(45))
      for (const Name& s : state_)
        if (s.kind == n.kind && s.text != n.text) other = s.text;
    return fmt::format("{} {} {}", n.text, compare, other);
  }

  std::string condition() {
    std::string first = atom();
    if (chance(35)) return fmt::format("{} {} {}", first, chance(60) ? "&&" : "||", atom());
    return first;
  }

  std::string assignment() {
    const Name& target = one_of(state_);
    std::string text = fmt::format("{} := {};", target.text, value(target.kind));
    return chance(25) ? fmt::format("if ({}) {{ {} }}", condition(), text) : text;
  }

  std::string parameters(const std::string& prefix) {
    std::vector<std::string> list;
    scope_.clear();
    for (int i = 0, count = pick(3) == 0 ? 2 : pick(2); i < count; ++i) {
      scope_.push_back({fmt::format("{}{}", prefix, i), kind()});
      list.push_back(fmt::format("{} : {}", scope_.back().text, type(scope_.back().kind)));
    }
    return fmt::format("{}", fmt::join(list, ", "));
  }

  void choice() {
    const bool hidden = unknown_ && chance(40);
    if (!hidden && !(environment_ && chance(45))) return;
    const Name h{"h", kind()};
    text_ += fmt::format("  var h : {};\n  havoc {}h;\n", type(h.kind), hidden ? "unknown " : "");
    scope_.push_back(h);
  }

  void body(int errors, int assignments) {
    if (chance(30)) choice();
    for (int i = 0; i < errors; ++i)
      text_ += fmt::format("  if ({}) error e{};\n", condition(), pick(3));
    if (scope_.empty() || scope_.back().text != "h") choice();
    if (chance(5)) text_ += fmt::format("  assume {};\n", condition());
    for (int i = 0; i < assignments; ++i) {
      if (chance(10)) text_ += fmt::format("  if ({}) throw X;\n", condition());
      text_ += "  " + assignment() + "\n";
    }
  }

  void constructor(int i) {
    text_ += fmt::format("constructor k{}({}) {{\n", i, parameters("a"));
    for (int e = pick(2); e > 0; --e) text_ += fmt::format("  if ({}) error e0;\n", condition());
    choice();
    for (int n = pick(3); n > 0; --n) text_ += "  " + assignment() + "\n";
    text_ += "  return;\n}\n";
  }

  void method(int i) {
    const std::string list = parameters("p");
    const bool returns = chance(55);
    const Kind result = kind();
    text_ += fmt::format("method m{}({}){} {{\n", i, list, returns ? " : " + type(result) : "");
    body(chance(75) ? 1 + pick(2) : 0, pick(3));
    text_ += returns ? fmt::format("  return {};\n}}\n", value(result)) : "  return;\n}\n";
  }

  std::mt19937_64 random_;
  RandomGuarded made_;
  std::string text_;
  std::vector<Name> state_, scope_;
  bool environment_ = false, unknown_ = false;
};

} // namespace

RandomGuarded random_guarded(std::uint64_t seed) { return Generator(seed).run(); }

} // namespace tacit
