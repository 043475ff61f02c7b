#include "program/reduce/wraps.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "program/graph/uses.h"

namespace tacit {
namespace {

constexpr int promoted = 32; // bits: what arithmetic has at least

struct Range {
  Integer low = 0, high = 0;

  bool within(const Range& other) const { return other.low <= low && high <= other.high; }
};

Integer width_of(Term wrap) { return wrap->number < 0 ? -wrap->number : wrap->number; }

Range range_of_type(Term wrap) {
  const int bits = static_cast<int>(width_of(wrap));
  if (wrap->number > 0) return {0, (Integer{1} << bits) - 1};
  return {-(Integer{1} << (bits - 1)), (Integer{1} << (bits - 1)) - 1};
}

/// A number that one step may carry past the limit of its type: no counter comes that far, but
/// `Integer.MAX_VALUE` and `UINT_MAX` are there from the start.
bool is_far(Integer number, Integer bits) {
  const Integer far = Integer{1} << (static_cast<int>(bits) - 2);
  return number >= far || number <= -far;
}

/// Which variables may be given a constant that is far from zero, by whatever copies.
class FarVariables {
public:
  explicit FarVariables(const Module& module) {
    for (const Procedure& p : module.procedures) procedures_.emplace(p.name, &p);
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (const StateVariable& v : module.state) assign(v.term, v.initial);
      for (const Procedure& p : module.procedures) look_at(p);
    }
  }

  bool contains(Term variable) const { return far_.contains(variable); }

private:
  void look_at(const Procedure& p) {
    each_write(p, [&](Term target, Term value) { assign(target, value); });
    for (const Block& b : p.blocks) {
      const auto callee = procedures_.find(b.end.name);
      if (b.end.kind != TerminatorKind::Call || callee == procedures_.end()) continue;
      const Procedure& called = *callee->second;
      for (std::size_t i = 0; i < std::min(b.end.arguments.size(), called.parameters.size()); ++i)
        assign(called.parameters[i].term, b.end.arguments[i]);
      for (const Block& inner : called.blocks)
        if (inner.end.kind == TerminatorKind::Return) assign(b.end.result, inner.end.value);
    }
  }

  void assign(Term target, Term value) {
    if (target && value && brings_far(value) && far_.insert(target).second) changed_ = true;
  }

  bool brings_far(Term value) const {
    switch (value->op) {
    case Op::IntConst: return is_far(value->number, promoted);
    case Op::Var: return far_.contains(value);
    case Op::Select: return brings_far(value->args[0]);
    case Op::Store: return brings_far(value->args[0]) || brings_far(value->args[2]);
    case Op::ConstMap: return brings_far(value->args[0]);
    case Op::Ite: return brings_far(value->args[1]) || brings_far(value->args[2]);
    default: return false;
    }
  }

  std::unordered_map<std::string, const Procedure*> procedures_;
  std::unordered_set<Term> far_;
  bool changed_ = false;
};

class WrapDropper {
public:
  explicit WrapDropper(const Module& module) : arena_(*module.arena), far_(module) {
    const auto see = [&](const Variable& v) {
      const Type& type = v.type.value ? *v.type.value : v.type;
      (type.low && *type.low >= 0 ? never_below_ : signed_).insert(v.term);
      limit(v.term, type);
    };
    for (const StateVariable& v : module.state) see(v);
    for (const Procedure& p : module.procedures)
      for (const auto* list : {&p.parameters, &p.locals})
        for (const Variable& v : *list) see(v);
    for (const Term v : signed_) never_below_.erase(v);
  }

  /// Locals that only ever get numbers that are not below zero, such as counters of loops, are told
  /// to be like that. A name that stands for several variables is judged by all their values.
  void find_naturals(Module& module) {
    std::unordered_set<Term> candidates;
    for (const Procedure& p : module.procedures)
      for (const Variable& v : p.locals)
        if (v.type.sort->kind == SortKind::Int && !v.type.ranged()) candidates.insert(v.term);
    for (const Procedure& p : module.procedures) {
      const VariableSet set = written(p);
      for (const Variable& v : p.parameters) candidates.erase(v.term);
      for (const Variable& v : p.locals)
        if (v.type.ranged() || !set.contains(v.term)) candidates.erase(v.term);
    }
    for (const Term v : candidates) never_below_.insert(v);
    for (bool again = true; again;) {
      again = false;
      for (const Procedure& p : module.procedures)
        each_write(p, [&](Term target, Term value) {
          if (!candidates.contains(target) || (value && !may_fall(value))) return;
          candidates.erase(target);
          never_below_.erase(target);
          again = true;
        });
    }
    for (Procedure& p : module.procedures)
      for (Variable& v : p.locals)
        if (candidates.contains(v.term)) v.type.low = 0;
  }

  /// `u32(e) >= 2147483648 ? u32(e) - 4294967296 : u32(e)`, a conversion of what is returned.
  void returned(Term& term) {
    if (term->op != Op::Ite || term->args[2]->op != Op::Wrap) return;
    const Term wrapped = term->args[2];
    const Integer bits = wrapped->number;
    if (bits < promoted) return;
    const Term all = arena_.integer(Integer{1} << bits),
               half = arena_.integer(Integer{1} << (bits - 1));
    if (term->args[1] != arena_.sub(wrapped, all) || term->args[0] != arena_.ge(wrapped, half))
      return;
    term = wrapped->args[0];
    found_ = true;
  }

  void operator()(Term& term) { term = drop(term); }
  bool found() const { return found_; }

private:
  static VariableSet written(const Procedure& p) {
    VariableSet set;
    each_write(p, [&](Term target, Term) { set.insert(target); });
    return set;
  }

  Term drop(Term t) {
    if (t->args.empty()) return t;
    if (auto known = done_.find(t); known != done_.end()) return known->second;
    std::vector<Term> args;
    for (Term a : t->args) args.push_back(drop(a));
    const bool wraps = t->op == Op::Wrap && width_of(t) >= promoted;
    Term result = wraps ? reduced(t, args[0]) : arena_.rebuild(t, std::move(args));
    done_.emplace(t, result);
    return result;
  }

  /// What becomes of a reduction. One that changes nothing is gone; a product, which passes the
  /// limit by one step from anywhere, keeps it.
  Term reduced(Term wrap, Term value) {
    const Range type = range_of_type(wrap);
    const auto range = range_of(value);
    if (range && range->within(type)) return value;
    if (multiplies(value)) return arena_.rebuild(wrap, {value});
    const Integer modulus = type.high - type.low + 1;
    const bool is_far = goes_far(value, width_of(wrap));
    // The cases below are those of one wrap.
    const Range once{type.low - modulus, type.high + modulus};
    if (is_far && !(range && range->within(once))) return arena_.rebuild(wrap, {value});
    Term result = value;
    if (is_far)
      result = arena_.ite(arena_.gt(value, arena_.integer(type.high)),
                          arena_.sub(value, arena_.integer(modulus)), result);
    // Below zero it is near: an unsigned number that is taken something from wraps by cases.
    if (is_far || (wrap->number > 0 && may_fall(value)))
      result = arena_.ite(arena_.lt(value, arena_.integer(type.low)),
                          arena_.add(value, arena_.integer(modulus)), result);
    found_ = found_ || !is_far;
    return result;
  }

  void limit(Term variable, const Type& type) {
    if (!type.low || !type.high) {
      ranges_[variable] = std::nullopt;
      return;
    }
    auto [at, is_new] = ranges_.emplace(variable, Range{*type.low, *type.high});
    if (is_new || !at->second) return;
    at->second->low = std::min(at->second->low, *type.low);
    at->second->high = std::max(at->second->high, *type.high);
  }

  /// What a number may be by the types of what it is made from; none where that is not known.
  std::optional<Range> range_of(Term t) {
    if (t->args.empty()) return range_from(t);
    if (auto known = made_ranges_.find(t); known != made_ranges_.end()) return known->second;
    const auto range = range_from(t);
    made_ranges_.emplace(t, range);
    return range;
  }

  std::optional<Range> range_from(Term t) {
    switch (t->op) {
    case Op::IntConst: return Range{t->number, t->number};
    case Op::Var: {
      const auto known = ranges_.find(t);
      return known == ranges_.end() ? std::nullopt : known->second;
    }
    case Op::Select: return t->args[0]->op == Op::Var ? range_of(t->args[0]) : std::nullopt;
    case Op::Wrap: return range_of_type(t);
    case Op::Ite: return either(range_of(t->args[1]), range_of(t->args[2]));
    case Op::Neg: return combined({Range{0, 0}, range_of(t->args[0])}, checked_sub);
    case Op::Add: return combined(ranges_of(t), checked_add);
    case Op::Sub: return combined(ranges_of(t), checked_sub);
    case Op::Mul: return combined(ranges_of(t), checked_mul);
    case Op::Div: {
      const auto range = range_of(t->args[0]);
      const Term by = t->args[1];
      if (!range || by->op != Op::IntConst || by->number <= 0) return std::nullopt;
      return Range{range->low / by->number, range->high / by->number};
    }
    case Op::Mod: {
      const Term by = t->args[1];
      if (by->op != Op::IntConst || by->number == 0) return std::nullopt;
      const Integer most = (by->number < 0 ? -by->number : by->number) - 1;
      return Range{-most, most};
    }
    default: return std::nullopt;
    }
  }

  static std::optional<Range> either(std::optional<Range> a, std::optional<Range> b) {
    if (!a || !b) return std::nullopt;
    return Range{std::min(a->low, b->low), std::max(a->high, b->high)};
  }

  std::vector<std::optional<Range>> ranges_of(Term t) {
    std::vector<std::optional<Range>> ranges;
    for (Term a : t->args) ranges.push_back(range_of(a));
    return ranges;
  }

  /// The operations here are monotone in each operand, rising or falling: the ends decide.
  template <class Operation>
  static std::optional<Range> combined(const std::vector<std::optional<Range>>& parts,
                                       Operation operation) {
    std::optional<Range> all = parts[0];
    for (std::size_t i = 1; i < parts.size() && all; ++i) {
      if (!parts[i]) return std::nullopt;
      std::optional<Range> next;
      for (const Integer left : {all->low, all->high})
        for (const Integer right : {parts[i]->low, parts[i]->high}) {
          const auto end = operation(left, right);
          if (!end) return std::nullopt;
          next = next ? *either(next, Range{*end, *end}) : Range{*end, *end};
        }
      all = next;
    }
    return all;
  }

  bool multiplies(Term t) {
    if (t->args.empty()) return false;
    if (auto known = multiplying_.find(t); known != multiplying_.end()) return known->second;
    const bool answer = has_product(t);
    multiplying_.emplace(t, answer);
    return answer;
  }

  bool has_product(Term t) {
    switch (t->op) {
    case Op::Mul:
    case Op::Div: return true;
    case Op::Add:
    case Op::Sub:
    case Op::Neg: return std::ranges::any_of(t->args, [&](Term a) { return multiplies(a); });
    case Op::Ite: return multiplies(t->args[1]) || multiplies(t->args[2]);
    default: return false;
    }
  }

  /// Whether something in a sum is far from zero without having been counted up to there.
  bool goes_far(Term t, Integer bits) {
    if (t->args.empty()) return is_far_from_start(t, bits);
    const std::pair key(t, bits);
    if (auto known = going_far_.find(key); known != going_far_.end()) return known->second;
    const bool answer = is_far_from_start(t, bits);
    going_far_.emplace(key, answer);
    return answer;
  }

  bool is_far_from_start(Term t, Integer bits) {
    switch (t->op) {
    case Op::IntConst: return is_far(t->number, bits);
    case Op::Var: return far_.contains(t) && reaches(t, bits);
    case Op::Wrap: return width_of(t) >= bits;
    case Op::Select: return goes_far(t->args[0], bits);
    case Op::Add:
    case Op::Sub:
    case Op::Neg: return std::ranges::any_of(t->args, [&](Term a) { return goes_far(a, bits); });
    case Op::Ite: return goes_far(t->args[1], bits) || goes_far(t->args[2], bits);
    default: return false;
    }
  }

  /// Whether the type of a variable has numbers that are far for so many bits.
  bool reaches(Term variable, Integer bits) {
    const auto range = range_of(variable);
    return !range || is_far(range->high, bits) || is_far(range->low, bits);
  }

  /// Whether a number may be below zero: something is taken away, or it has a sign. A name that
  /// stands for several variables is judged by each.
  bool may_fall(Term t) const {
    switch (t->op) {
    case Op::IntConst: return t->number < 0;
    case Op::Var: return !never_below_.contains(t);
    case Op::Select: return t->args[0]->op != Op::Var || !never_below_.contains(t->args[0]);
    case Op::Wrap: return t->number < 0;
    case Op::Mod:
    case Op::ToInt: return false;
    case Op::Ite: return may_fall(t->args[1]) || may_fall(t->args[2]);
    case Op::Add:
    case Op::Mul:
    case Op::Div: return std::ranges::any_of(t->args, [&](Term a) { return may_fall(a); });
    default: return true;
    }
  }

  TermArena& arena_;
  FarVariables far_;
  std::unordered_map<Term, std::optional<Range>> ranges_, made_ranges_;
  std::unordered_map<Term, bool> multiplying_;
  std::map<std::pair<Term, Integer>, bool> going_far_; // never gone through
  std::unordered_map<Term, Term> done_;
  std::unordered_set<Term> never_below_, signed_;
  bool found_ = false;
};

/// Locals that are read to be returned only.
VariableSet only_returned(const Procedure& p) {
  VariableSet found;
  for (const Variable& v : p.locals) found.insert(v.term);
  bool again = true;
  const auto ask = [&](Term value) {
    for (const Term v : variables(value)) again = found.erase(v) > 0 || again;
  };
  while (again) {
    again = false;
    for (const Block& b : p.blocks) {
      for (const Statement& s : b.statements)
        if (s.value && !(s.value->op == Op::Var && s.target && found.contains(s.target)))
          ask(s.value);
      if (b.end.value && !(b.end.kind == TerminatorKind::Return && b.end.value->op == Op::Var))
        ask(b.end.value);
      for (const Term argument : b.end.arguments) ask(argument);
    }
  }
  return found;
}

/// What is returned is taken to fit the type that it is returned in.
void drop_conversions(WrapDropper& drop, Procedure& p) {
  const VariableSet returned = only_returned(p);
  for (Block& b : p.blocks) {
    for (Statement& s : b.statements)
      if (s.value && s.target && returned.contains(s.target)) drop.returned(s.value);
    if (b.end.kind == TerminatorKind::Return && b.end.value) drop.returned(b.end.value);
  }
}

} // namespace

bool drop_wraps(Module& module) {
  WrapDropper drop(module);
  drop.find_naturals(module);
  for (Term& t : module.invariants) drop(t);
  for (Procedure& p : module.procedures) {
    for (auto* list : {&p.preconditions, &p.ensures})
      for (Term& t : *list) drop(t);
    drop_conversions(drop, p);
    each_read(p, [&](Term& t, Term) { drop(t); });
  }
  return drop.found();
}

} // namespace tacit
