#include "program/reduce/wraps.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "program/graph/uses.h"

namespace tacit {
namespace {

constexpr int promoted = 32; // bits: what arithmetic has at least

class WrapDropper {
public:
  explicit WrapDropper(const Module& module) : arena_(*module.arena) {
    const auto see = [&](const Variable& v) {
      const Type& type = v.type.value ? *v.type.value : v.type;
      (type.low && *type.low >= 0 ? never_below_ : signed_).insert(v.term);
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
    const bool drops = t->op == Op::Wrap && (t->number < 0 ? -t->number : t->number) >= promoted;
    found_ = found_ || drops;
    Term result = drops ? args[0] : arena_.rebuild(t, std::move(args));
    // Below zero it is near: an unsigned number that is taken something from wraps by cases.
    if (drops && t->number > 0 && may_fall(result))
      result = arena_.ite(arena_.lt(result, arena_.integer(0)),
                          arena_.add(result, arena_.integer(Integer{1} << t->number)), result);
    done_.emplace(t, result);
    return result;
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
