#include "support/random_component.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tacit {
namespace {

enum class Kind { Bool, Int, Enum, Map };

/// A type as the generator sees it.
struct Shape {
  Kind kind = Kind::Bool;
  int low = 0, high = 1; // Int
  bool bounded = true;   // Int
  std::size_t enumeration = 0;
  Kind element = Kind::Bool; // Map over an enumeration: bool or int [0..1]
};

struct Name {
  std::string text;
  Shape shape;
  bool writable = true;
};

struct Callee {
  std::string name;
  std::vector<Shape> parameters;
  bool has_result = false;
  Shape result;
};

class Generator {
public:
  Generator(std::uint64_t seed, const RandomKnobs& knobs)
      : random_(seed * 2654435761u + 12345u), knobs_(knobs) {
    made_.seed = seed;
  }

  RandomComponent run() {
    declare_types();
    declare_state();
    if (knobs_.nondeterministic && chance(30)) declare_externs();
    for (int i = chance(45) ? 1 + pick(2) : 0; i > 0; --i) add_procedure();
    const int methods = 2 + std::max(pick(4), pick(4));
    for (int i = 0; i < methods; ++i) add_method(i);
    if (knobs_.constructors) add_constructors();
    choose_options(methods);
    return std::move(made_);
  }

private:
  // Dice.
  int pick(int below) { return static_cast<int>(random_() % static_cast<std::uint64_t>(below)); }
  bool chance(int percent) { return pick(100) < percent; }
  template <class List> const auto& one_of(const List& list) {
    return list[static_cast<std::size_t>(pick(static_cast<int>(list.size())))];
  }

  // Types.
  std::string enum_name(std::size_t e) const { return fmt::format("E{}", e); }
  std::string enumerator(std::size_t e, int i) const {
    return fmt::format("{}{}", static_cast<char>('A' + e), i);
  }
  std::string random_enumerator(std::size_t e) { return enumerator(e, pick(enums_[e])); }

  std::string type_text(const Shape& s) const {
    switch (s.kind) {
    case Kind::Bool: return "bool";
    case Kind::Int: return s.bounded ? fmt::format("int [{}..{}]", s.low, s.high) : "int";
    case Kind::Enum: return enum_name(s.enumeration);
    case Kind::Map:
      return fmt::format("map [{}] {}", enum_name(s.enumeration), type_text(element(s)));
    }
    return "";
  }

  static Shape element(const Shape& map) { return {.kind = map.element, .low = 0, .high = 1}; }

  Shape scalar() {
    Shape s;
    switch (pick(3)) {
    case 0: break;
    case 1:
      s.kind = Kind::Int;
      s.low = chance(15) ? -1 : 0;
      s.high = 1 + pick(3);
      break;
    default:
      s.kind = Kind::Enum;
      s.enumeration = static_cast<std::size_t>(pick(static_cast<int>(enums_.size())));
    }
    return s;
  }

  std::string constant(const Shape& s) {
    switch (s.kind) {
    case Kind::Bool: return chance(50) ? "true" : "false";
    case Kind::Int: return std::to_string(s.low + pick(s.high - s.low + 1));
    case Kind::Enum: return random_enumerator(s.enumeration);
    case Kind::Map: return fmt::format("all({})", constant(element(s)));
    }
    return "";
  }

  void declare_types() {
    for (int i = 1 + pick(2); i > 0; --i) {
      enums_.push_back(2 + pick(2));
      std::vector<std::string> names;
      for (int k = 0; k < enums_.back(); ++k) names.push_back(enumerator(enums_.size() - 1, k));
      made_.items.push_back(
          fmt::format("enum {} {{ {} }}", enum_name(enums_.size() - 1), fmt::join(names, ", ")));
    }
    made_.items.push_back("exception X");
    exceptions_.push_back("X");
    if (chance(50)) {
      made_.items.push_back(chance(50) ? "exception Y : X" : "exception Y");
      exceptions_.push_back("Y");
    }
    errors_ = 1 + pick(3);
  }

  void declare_state() {
    for (int i = 0, count = 1 + std::max(pick(4), pick(4)); i < count; ++i) {
      Name variable{fmt::format("s{}", i), scalar()};
      if (chance(12)) {
        variable.shape = {.kind = Kind::Map, .enumeration = variable.shape.enumeration};
        variable.shape.element = chance(60) ? Kind::Bool : Kind::Int;
      }
      const bool unbounded =
          variable.shape.kind == Kind::Int && !knobs_.bounded_state && chance(40);
      if (unbounded) variable.shape.bounded = false;
      const bool client = !unbounded && chance(8);
      const bool open = !unbounded && knobs_.nondeterministic && chance(12);
      made_.items.push_back(fmt::format("{}state {} : {}{}", client ? "client " : "", variable.text,
                                        type_text(variable.shape),
                                        open ? "" : " = " + constant(variable.shape)));
      state_.push_back(variable);
    }
  }

  void declare_externs() {
    for (int i = 0, count = 1 + pick(2); i < count; ++i) {
      Callee callee{fmt::format("ext{}", i), {}, chance(60), scalar()};
      std::string parameters;
      if (chance(40)) {
        callee.parameters.push_back(scalar());
        parameters = "i : " + type_text(callee.parameters[0]);
      }
      std::string line = fmt::format("extern {}({})", callee.name, parameters);
      if (callee.has_result) line += " : " + type_text(callee.result);
      if (chance(30)) {
        // With a body: choices of its own, and failures.
        RandomProcedure body{
            "extern", callee.name, {}, callee.has_result ? type_text(callee.result) : "", {}, {}};
        if (!parameters.empty()) body.parameters.push_back(parameters);
        scope_ = state_;
        std::erase_if(scope_, [](const Name& n) { return n.shape.kind == Kind::Map; });
        if (chance(60))
          body.body.push_back(branch("if (*)", {simple("throw " + one_of(exceptions_))}, {}));
        if (chance(50) && !scope_.empty()) body.body.push_back(assignment());
        body.body.push_back(
            simple(callee.has_result ? "return " + constant(callee.result) : "return"));
        made_.procedures.push_back(std::move(body));
      } else {
        if (chance(40)) line += " throws " + one_of(exceptions_);
        if (chance(35)) {
          const Name& written = one_of(state_);
          if (written.shape.bounded) line += " writes " + written.text;
        }
        if (callee.has_result && callee.result.kind == Kind::Int && chance(50))
          line += fmt::format(" ensures result {} {}",
                              chance(50) ? "<=" : "!=", constant(callee.result));
        made_.items.push_back(line + ";");
      }
      callees_.push_back(callee);
    }
  }

  // Expressions over scope_.
  std::vector<std::string> in_scope(const std::function<bool(const Shape&)>& fits) const {
    std::vector<std::string> names;
    for (const Name& n : scope_)
      if (fits(n.shape)) names.push_back(n.text);
    return names;
  }

  std::string read(const Shape& wanted) {
    auto names = in_scope([&](const Shape& s) {
      return s.kind == wanted.kind && (s.kind != Kind::Enum || s.enumeration == wanted.enumeration);
    });
    for (const Name& n : scope_)
      if (n.shape.kind == Kind::Map && n.shape.element == wanted.kind)
        names.push_back(fmt::format("{}[{}]", n.text, key(n.shape.enumeration)));
    return names.empty() ? constant(wanted) : one_of(names);
  }

  std::string key(std::size_t enumeration) {
    const auto names = in_scope(
        [&](const Shape& s) { return s.kind == Kind::Enum && s.enumeration == enumeration; });
    return names.empty() || chance(60) ? random_enumerator(enumeration) : one_of(names);
  }

  std::string number(int depth) {
    const Shape any{.kind = Kind::Int, .low = 0, .high = 2};
    switch (depth > 0 ? pick(9) : pick(3)) {
    case 0: return constant(any);
    case 1:
    case 2: return read(any);
    case 3: return fmt::format("{} + 1", read(any));
    case 4: return fmt::format("{} - 1", read(any));
    case 5: return fmt::format("{} {} {}", read(any), chance(60) ? "+" : "-", read(any));
    case 6:
      return fmt::format("({} ? {} : {})", condition(depth - 1), number(depth - 1),
                         number(depth - 1));
    case 7: return fmt::format("{} % 2", read(any));
    default: {
      const auto names = in_scope([](const Shape& s) { return s.kind == Kind::Enum; });
      return names.empty() ? read(any) : fmt::format("int({})", one_of(names));
    }
    }
  }

  std::string condition(int depth) {
    static const std::vector<std::string> orders = {"==", "!=", "<", "<=", ">", ">="};
    switch (depth > 0 ? pick(9) : pick(5)) {
    case 0:
    case 1: return read({.kind = Kind::Bool});
    case 2: return "!" + read({.kind = Kind::Bool});
    case 3:
      return fmt::format("{} {} {}", read({.kind = Kind::Int, .high = 2}), one_of(orders),
                         number(0));
    case 4: {
      const auto e = static_cast<std::size_t>(pick(static_cast<int>(enums_.size())));
      const Shape shape{.kind = Kind::Enum, .enumeration = e};
      return fmt::format("{} {} {}", read(shape), chance(60) ? "==" : "!=", random_enumerator(e));
    }
    case 5: return fmt::format("{} && {}", atom(depth), atom(depth));
    case 6: return fmt::format("{} || {}", atom(depth), atom(depth));
    case 7: {
      for (const Name& n : scope_)
        if (n.shape.kind == Kind::Map && knobs_.compare_maps && chance(50))
          return fmt::format("{} == {}", n.text, constant(n.shape));
      return fmt::format("({}) => {}", condition(depth - 1), atom(depth));
    }
    default: return fmt::format("{} < {}", number(depth - 1), number(depth - 1));
    }
  }

  /// A test of one state variable against a constant: what protocols are made of.
  std::string about_state() {
    const Name& n = one_of(state_);
    const char* order = chance(60) ? "==" : "!=";
    if (n.shape.kind == Kind::Map)
      return fmt::format("{}[{}] {} {}", n.text, random_enumerator(n.shape.enumeration), order,
                         constant(element(n.shape)));
    return fmt::format("{} {} {}", n.text, order, constant(n.shape));
  }

  /// Sets a state variable to a constant, sometimes only in some states.
  RandomStatement step() {
    const Name& n = one_of(state_);
    RandomStatement set = simple(fmt::format("{} := {}", n.text, constant(n.shape)));
    if (n.shape.kind == Kind::Map)
      set = simple(fmt::format("{}[{}] := {}", n.text, random_enumerator(n.shape.enumeration),
                               constant(element(n.shape))));
    return chance(40)
               ? branch("if (" + about_state() + ")", {set}, chance(40) ? block(0) : nothing())
               : set;
  }

  std::string atom(int depth) { return "(" + condition(depth - 1) + ")"; }

  std::string value(const Shape& s) {
    if (chance(45)) return constant(s);
    switch (s.kind) {
    case Kind::Bool: return condition(1);
    case Kind::Int: return s.bounded ? number(1) : constant(s);
    case Kind::Enum:
      if (chance(30)) return fmt::format("({} ? {} : {})", condition(1), read(s), constant(s));
      return read(s);
    case Kind::Map: {
      const auto names = in_scope([&](const Shape& o) {
        return o.kind == Kind::Map && o.enumeration == s.enumeration && o.element == s.element;
      });
      if (names.empty()) return constant(s);
      return fmt::format("{}[{} := {}]", one_of(names), key(s.enumeration), constant(element(s)));
    }
    }
    return "";
  }

  // Statements.
  static RandomStatement simple(const std::string& text) { return {text + ";", {}, false}; }

  static RandomStatement branch(const std::string& head, std::vector<RandomStatement> then,
                                std::vector<RandomStatement> otherwise) {
    RandomStatement s{"", {{head, std::move(then)}}, false};
    if (!otherwise.empty()) s.pieces.push_back({"else", std::move(otherwise)});
    return s;
  }

  RandomStatement assignment() {
    std::vector<Name> targets;
    for (const Name& n : scope_)
      if (n.writable) targets.push_back(n);
    if (targets.empty()) return simple("assume true");
    const Name target = one_of(targets);
    if (target.shape.kind == Kind::Map && chance(70))
      return simple(fmt::format("{}[{}] := {}", target.text, key(target.shape.enumeration),
                                value(element(target.shape))));
    return simple(fmt::format("{} := {}", target.text, value(target.shape)));
  }

  RandomStatement havoc() {
    std::vector<std::string> targets;
    for (const Name& n : scope_)
      if (n.writable && n.shape.bounded) targets.push_back(n.text);
    return targets.empty() ? assignment() : simple("havoc " + one_of(targets));
  }

  RandomStatement call() {
    const Callee& callee = one_of(callees_);
    std::vector<std::string> arguments;
    for (const Shape& p : callee.parameters) arguments.push_back(value(p));
    std::string text = fmt::format("call {}({})", callee.name, fmt::join(arguments, ", "));
    if (callee.has_result && chance(70)) {
      std::vector<std::string> fitting;
      for (const Name& n : scope_)
        if (n.writable && n.shape.kind == callee.result.kind && n.shape.bounded &&
            (n.shape.kind != Kind::Enum || n.shape.enumeration == callee.result.enumeration))
          fitting.push_back(n.text);
      if (!fitting.empty()) text = one_of(fitting) + " := " + text;
    }
    return simple(text);
  }

  RandomStatement error() { return simple(fmt::format("error Bad{}", pick(errors_))); }

  RandomStatement leave() {
    if (chance(25)) return simple("throw " + one_of(exceptions_));
    return simple(returned_.empty() ? "return" : "return " + returned());
  }

  std::string returned() {
    if (chance(12)) return value(return_shape_);
    return one_of(returned_);
  }

  std::string guard() { return knobs_.nondeterministic && chance(15) ? "*" : condition(2); }

  RandomStatement statement(int depth) {
    const int dice = pick(100);
    if (dice < 32) return assignment();
    if (dice < 36) return simple("assume " + condition(1));
    if (dice < 41) return knobs_.nondeterministic ? havoc() : assignment();
    if (dice < 45)
      return branch("if (" + (chance(50) ? about_state() : condition(1)) + ")", {error()}, {});
    if (dice < 46) return simple("assert " + condition(1));
    if (dice < 53) return step();
    if (dice < 61) return branch("if (" + guard() + ")", {leave()}, {});
    if (dice < 70 && !callees_.empty()) return depth > 0 && chance(50) ? attempt(depth) : call();
    if (depth == 0) return assignment();
    if (dice < 88)
      return branch("if (" + guard() + ")", block(depth - 1),
                    chance(55) ? block(depth - 1) : nothing());
    if (dice < 94) return loop(depth);
    return choice(depth);
  }

  static std::vector<RandomStatement> nothing() { return {}; }

  std::vector<RandomStatement> block(int depth) {
    std::vector<RandomStatement> list;
    for (int i = pick(depth > 1 ? 3 : 2); i >= 0; --i) list.push_back(statement(depth));
    return list;
  }

  RandomStatement attempt(int depth) {
    RandomStatement s{"", {{"try", {call()}}}, false};
    if (chance(50)) s.pieces[0].body.push_back(statement(depth - 1));
    for (int i = pick(2); i >= 0; --i) {
      const std::string type = i == 0 && chance(30) ? "*" : one_of(exceptions_);
      if (type == "*" || chance(50)) {
        s.pieces.push_back({"catch (" + type + ")", block(depth - 1)});
      } else {
        caught_ = true;
        s.pieces.push_back({"catch (" + type + " caught)", block(depth - 1)});
        if (chance(40)) s.pieces.back().body.push_back(simple("throw caught"));
      }
    }
    return s;
  }

  /// Every loop counts something up that is bounded, first thing in its body.
  RandomStatement loop(int depth) {
    const std::string counter = fmt::format("n{}", loops_++);
    const int bound = 1 + pick(3);
    locals_.push_back(fmt::format("{} : int [0..3]", counter));
    const bool open = knobs_.nondeterministic && chance(25);
    RandomStatement s{
        "", {{open ? "while (*)" : fmt::format("while ({} < {})", counter, bound), {}}}, false};
    auto& body = s.pieces[0].body;
    body.push_back(simple(fmt::format("{0} := {0} + 1", counter)));
    for (auto& inner : block(depth - 1)) body.push_back(std::move(inner));
    if (chance(20))
      body.push_back(
          branch("if (" + condition(1) + ")", {simple(chance(60) ? "break" : "continue")}, {}));
    return s;
  }

  RandomStatement choice(int depth) {
    const auto e = static_cast<std::size_t>(pick(static_cast<int>(enums_.size())));
    RandomStatement s{
        fmt::format("switch ({})", read({.kind = Kind::Enum, .enumeration = e})), {}, true};
    for (int i = 0; i < enums_[e]; ++i)
      if (chance(70))
        s.pieces.push_back({fmt::format("case {}:", enumerator(e, i)), block(depth - 1)});
    s.pieces.push_back({"default:", block(depth - 1)});
    return s;
  }

  // Procedures.
  void open(RandomProcedure& p, int parameters) {
    scope_ = state_;
    locals_.clear();
    loops_ = 0;
    caught_ = false;
    for (int i = 0; i < parameters; ++i) {
      Name parameter{std::string(1, static_cast<char>('a' + i)), scalar()};
      if (parameter.shape.kind == Kind::Int)
        parameter.shape.high = std::min(parameter.shape.high, 2);
      p.parameters.push_back(parameter.text + " : " + type_text(parameter.shape));
      parameter.writable = chance(50);
      scope_.push_back(parameter);
    }
    if (chance(30)) {
      Name local{"v", scalar()};
      locals_.push_back("v : " + type_text(local.shape) +
                        (chance(50) ? " = " + constant(local.shape) : ""));
      scope_.push_back(local);
    }
  }

  void choose_return(RandomProcedure& p) {
    returned_.clear();
    if (chance(50)) return;
    return_shape_ = scalar();
    if (return_shape_.kind == Kind::Int) return_shape_.bounded = chance(50);
    p.returns = type_text(return_shape_);
    for (int i = 1 + pick(3); i > 0; --i) returned_.push_back(constant(return_shape_));
  }

  void close(RandomProcedure& p, int depth, int errs) {
    const bool initialised =
        std::ranges::any_of(locals_, [](const std::string& l) { return l.contains('='); });
    if (p.kind == "method" && knobs_.nondeterministic && !initialised && chance(6)) {
      // A choice of the client's that is no parameter; it has to come first.
      locals_.push_back("w : bool");
      p.body.push_back(simple("havoc client w"));
      scope_.push_back({"w", {}, false});
    }
    if (chance(errs)) p.body.push_back(branch("if (" + about_state() + ")", {error()}, {}));
    for (int i = p.kind == "method" ? pick(3) : 0; i > 0; --i) p.body.push_back(step());
    for (auto& s : block(depth)) p.body.push_back(std::move(s));
    p.body.push_back(simple(returned_.empty() ? "return" : "return " + returned()));
    if (caught_) locals_.push_back("caught : exception");
    p.locals = locals_;
    made_.procedures.push_back(std::move(p));
  }

  void add_procedure() {
    RandomProcedure p{"procedure", fmt::format("p{}", made_.procedures.size()), {}, "", {}, {}};
    open(p, pick(2));
    choose_return(p);
    Callee callee{p.name, {}, !p.returns.empty(), return_shape_};
    for (std::size_t i = 0; i < p.parameters.size(); ++i)
      callee.parameters.push_back(scope_[state_.size() + i].shape);
    close(p, 1, 12);
    callees_.push_back(callee);
  }

  void add_method(int index) {
    RandomProcedure p{"method", fmt::format("m{}", index), {}, "", {}, {}};
    open(p, chance(45) ? 1 + pick(2) : 0);
    choose_return(p);
    close(p, 2, 55);
  }

  void add_constructors() {
    for (int i = 0, count = pick(4); i < count; ++i) {
      RandomProcedure p{"constructor", fmt::format("C{}", i), {}, "", {}, {}};
      returned_.clear();
      open(p, pick(2));
      close(p, pick(2), 4);
    }
  }

  void choose_options(int methods) {
    made_.options.arguments = chance(40) ? Arguments::Angelic : Arguments::Demonic;
    if (chance(12)) made_.options.blind = {chance(50) ? "*" : fmt::format("m{}", pick(methods))};
    if (chance(8)) made_.options.errors = {"error:*", "throws:X"};
    made_.serial = chance(20);
  }

  std::mt19937_64 random_;
  RandomKnobs knobs_;
  RandomComponent made_;
  std::vector<int> enums_; // sizes
  std::vector<std::string> exceptions_;
  int errors_ = 1;
  std::vector<Name> state_;
  std::vector<Callee> callees_;
  // Of the procedure at hand:
  std::vector<Name> scope_;
  std::vector<std::string> locals_;
  std::vector<std::string> returned_;
  Shape return_shape_;
  int loops_ = 0;
  bool caught_ = false;
};

void print(std::string& out, const std::vector<RandomStatement>& list, int indent);

void print(std::string& out, const RandomStatement& s, int indent) {
  const std::string space(static_cast<std::size_t>(indent), ' ');
  if (s.pieces.empty()) {
    out += space + s.text + "\n";
    return;
  }
  if (s.wraps) out += space + s.text + " {\n";
  for (const RandomPiece& piece : s.pieces) {
    if (s.wraps) {
      out += space + piece.head + "\n";
      print(out, piece.body, indent + 2);
      continue;
    }
    out += space + piece.head + " {\n";
    print(out, piece.body, indent + 2);
    out += space + "}\n";
  }
  if (s.wraps) out += space + "}\n";
}

void print(std::string& out, const std::vector<RandomStatement>& list, int indent) {
  for (const RandomStatement& s : list) print(out, s, indent);
}

// Shrinking: every way to delete or simplify one part, larger parts first.

using Candidates = std::vector<RandomComponent>;

/// All lists of statements below a list, itself included.
void lists_of(std::vector<RandomStatement>& list,
              std::vector<std::vector<RandomStatement>*>& found) {
  found.push_back(&list);
  for (RandomStatement& s : list)
    for (RandomPiece& piece : s.pieces) lists_of(piece.body, found);
}

std::vector<std::vector<RandomStatement>*> all_lists(RandomComponent& c) {
  std::vector<std::vector<RandomStatement>*> found;
  for (RandomProcedure& p : c.procedures) lists_of(p.body, found);
  return found;
}

/// Applies `edit` to a copy.
template <class Edit> void offer(Candidates& to, const RandomComponent& from, Edit edit) {
  RandomComponent copy = from;
  edit(copy);
  to.push_back(std::move(copy));
}

template <class T> void drop(std::vector<T>& list, std::size_t at) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
}

Candidates simpler(const RandomComponent& from) {
  Candidates found;
  if (from.serial) offer(found, from, [](auto& c) { c.serial = false; });
  if (!from.options.blind.empty()) offer(found, from, [](auto& c) { c.options.blind.clear(); });
  if (!from.options.errors.empty()) offer(found, from, [](auto& c) { c.options.errors.clear(); });
  if (from.options.arguments == Arguments::Angelic)
    offer(found, from, [](auto& c) { c.options.arguments = Arguments::Demonic; });
  for (std::size_t i = 0; i < from.procedures.size(); ++i)
    offer(found, from, [i](auto& c) { drop(c.procedures, i); });
  for (std::size_t i = 0; i < from.items.size(); ++i)
    offer(found, from, [i](auto& c) { drop(c.items, i); });

  RandomComponent scratch = from;
  const auto lists = all_lists(scratch);
  for (std::size_t l = 0; l < lists.size(); ++l)
    for (std::size_t s = 0; s < lists[l]->size(); ++s) {
      offer(found, from, [=](auto& c) { drop(*all_lists(c)[l], s); });
      const RandomStatement& whole = (*lists[l])[s];
      for (std::size_t p = 0; p < whole.pieces.size(); ++p) {
        // The body instead of the statement; the statement without the piece.
        offer(found, from, [=](auto& c) {
          auto& list = *all_lists(c)[l];
          const auto body = list[s].pieces[p].body;
          drop(list, s);
          list.insert(list.begin() + static_cast<std::ptrdiff_t>(s), body.begin(), body.end());
        });
        if (whole.pieces.size() > 1)
          offer(found, from, [=](auto& c) { drop((*all_lists(c)[l])[s].pieces, p); });
      }
    }
  for (std::size_t i = 0; i < from.procedures.size(); ++i) {
    for (std::size_t k = 0; k < from.procedures[i].parameters.size(); ++k)
      offer(found, from, [=](auto& c) { drop(c.procedures[i].parameters, k); });
    for (std::size_t k = 0; k < from.procedures[i].locals.size(); ++k)
      offer(found, from, [=](auto& c) { drop(c.procedures[i].locals, k); });
    if (!from.procedures[i].returns.empty())
      offer(found, from, [=](auto& c) {
        c.procedures[i].returns.clear();
        std::vector<std::vector<RandomStatement>*> bodies;
        lists_of(c.procedures[i].body, bodies);
        for (auto* list : bodies)
          for (RandomStatement& s : *list)
            if (s.text.starts_with("return ")) s.text = "return;";
      });
  }
  return found;
}

} // namespace

std::string RandomComponent::tir() const {
  std::string out = "component R\n";
  for (const std::string& item : items) out += item + "\n";
  for (const RandomProcedure& p : procedures) {
    out += fmt::format("{} {}({}){} {{\n", p.kind, p.name, fmt::join(p.parameters, ", "),
                       p.returns.empty() ? "" : " : " + p.returns);
    for (const std::string& local : p.locals) out += "  var " + local + ";\n";
    print(out, p.body, 2);
    out += "}\n";
  }
  return out;
}

std::string RandomComponent::options_text() const {
  std::string text =
      options.arguments == Arguments::Angelic ? "--arguments angelic" : "--arguments demonic";
  for (const std::string& b : options.blind) text += " --blind '" + b + "'";
  for (const std::string& e : options.errors) text += " --error '" + e + "'";
  if (serial) text += " --serial";
  return text;
}

RandomComponent random_component(std::uint64_t seed, const RandomKnobs& knobs) {
  return Generator(seed, knobs).run();
}

RandomComponent random_component(std::uint64_t seed) {
  return random_component(
      seed,
      {.nondeterministic = seed % 3 != 0, .bounded_state = seed % 17 != 5, .compare_maps = false});
}

RandomComponent shrink(RandomComponent component,
                       const std::function<bool(const RandomComponent&)>& fails,
                       std::size_t max_attempts) {
  bool smaller = true;
  while (smaller) {
    smaller = false;
    for (RandomComponent& candidate : simpler(component)) {
      if (max_attempts == 0) return component;
      --max_attempts;
      if (!fails(candidate)) continue;
      component = std::move(candidate);
      smaller = true;
      break;
    }
  }
  return component;
}

} // namespace tacit
