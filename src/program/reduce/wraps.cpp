#include "program/reduce/wraps.h"

#include <unordered_map>

#include "program/graph/uses.h"

namespace tacit {
namespace {

constexpr int promoted = 32; // bits: what arithmetic has at least

class WrapDropper {
public:
  explicit WrapDropper(TermArena& arena) : arena_(arena) {}

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
    done_.emplace(t, result);
    return result;
  }

  TermArena& arena_;
  std::unordered_map<Term, Term> done_;
  bool found_ = false;
};

} // namespace

bool drop_wraps(Module& module) {
  WrapDropper drop(*module.arena);
  for (Term& t : module.invariants) drop(t);
  for (Procedure& p : module.procedures) {
    for (auto* list : {&p.preconditions, &p.ensures})
      for (Term& t : *list) drop(t);
    each_read(p, [&](Term& t, Term) { drop(t); });
  }
  return drop.found();
}

} // namespace tacit
