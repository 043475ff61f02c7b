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

  void operator()(Term& term) { term = drop(term); }
  bool found() const { return found_; }

private:
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

} // namespace

bool drop_wraps(Module& module) {
  WrapDropper drop(module);
  for (Term& t : module.invariants) drop(t);
  for (Procedure& p : module.procedures) {
    for (auto* list : {&p.preconditions, &p.ensures})
      for (Term& t : *list) drop(t);
    each_read(p, [&](Term& t, Term) { drop(t); });
  }
  return drop.found();
}

} // namespace tacit
