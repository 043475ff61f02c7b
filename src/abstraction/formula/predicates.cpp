#include "abstraction/formula/predicates.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "logic/term/reads.h"

namespace tacit {
namespace {

// An atom with conditionals in it stands for one atom per way through them. Of very many ways the
// rest is left out.
constexpr std::size_t most_ways = 1000;

const Integer least_limit = 2147483640; // of 32 bits, after some steps

/// The constant of a sum.
Integer constant_of(Term term) {
  switch (term->op) {
  case Op::IntConst: return term->number;
  case Op::Add: {
    Integer sum = 0;
    for (Term a : term->args) sum += constant_of(a);
    return sum;
  }
  case Op::Sub: return constant_of(term->args[0]) - constant_of(term->args[1]);
  case Op::Neg: return -constant_of(term->args[0]);
  default: return 0;
  }
}

/// The first conditional below an atom, or null.
Term inner_conditional(Term t, std::unordered_set<Term>& without) {
  if (t->op == Op::Ite) return t;
  if (t->args.empty() || without.contains(t)) return nullptr;
  for (Term a : t->args)
    if (Term found = inner_conditional(a, without)) return found;
  without.insert(t);
  return nullptr;
}

Term replaced(TermArena& arena, Term t, Term what, Term by, std::unordered_map<Term, Term>& done) {
  if (t == what) return by;
  if (t->args.empty()) return t;
  if (const auto known = done.find(t); known != done.end()) return known->second;
  std::vector<Term> args;
  for (Term a : t->args) args.push_back(replaced(arena, a, what, by, done));
  const Term made = arena.rebuild(t, std::move(args));
  done.emplace(t, made);
  return made;
}

class AtomCollector {
public:
  explicit AtomCollector(TermArena& arena) : arena_(arena) {}

  void collect(Term t) {
    if (!seen_.insert(t).second) return;
    switch (t->op) {
    case Op::BoolConst: return;
    case Op::Not:
    case Op::And:
    case Op::Or:
      for (Term a : t->args) collect(a);
      return;
    case Op::Ite:
      for (Term a : t->args) collect(a);
      return;
    case Op::Eq:
      if (t->args[0]->sort == arena_.bool_sort()) {
        for (Term a : t->args) collect(a);
        return;
      }
      break;
    default: break;
    }
    if (Term conditional = inner_conditional(t, without_)) {
      if (++ways_ > most_ways) return;
      collect(conditional->args[0]);
      collect(replaced(arena_, t, conditional, conditional->args[1]));
      collect(replaced(arena_, t, conditional, conditional->args[2]));
      return;
    }
    found_.push_back(t);
  }

  std::vector<Term> found() { return std::move(found_); }

private:
  TermArena& arena_;
  std::set<Term, TermById> seen_;
  std::vector<Term> found_;
  std::unordered_set<Term> without_; // conditionals
  std::size_t ways_ = 0;
};

} // namespace

Term replaced(TermArena& arena, Term term, Term what, Term by) {
  std::unordered_map<Term, Term> done;
  return replaced(arena, term, what, by, done);
}

std::vector<Term> orders(TermArena& arena, const std::vector<Term>& predicates) {
  std::vector<Term> made;
  for (Term p : predicates) {
    const Term atom = p->op == Op::Not ? p->args[0] : p;
    if (atom->op == Op::Eq && atom->args[0]->sort == arena.int_sort())
      made.push_back(arena.le(atom->args[0], atom->args[1]));
  }
  return made;
}

std::vector<Term> atoms(TermArena& arena, Term formula) {
  AtomCollector collector(arena);
  collector.collect(push_reads(arena, formula));
  return collector.found();
}

/// Of a predicate and its negation one; of `a <= b` and `b < a` the first.
Term PredicateSet::normal(Term predicate) const {
  if (predicate->op == Op::Not) predicate = predicate->args[0];
  return predicate->op == Op::Lt ? arena_.negate(predicate) : predicate;
}

bool PredicateSet::contains(Term predicate) const {
  if (predicate->op == Op::BoolConst) return true;
  predicate = normal(predicate);
  if (std::ranges::find(predicates_, predicate) != predicates_.end()) return true;
  return predicate->op == Op::Eq && predicate->args[0]->op == Op::Var &&
         predicate->args[1]->op == Op::Var &&
         std::ranges::find(predicates_, arena_.eq(predicate->args[1], predicate->args[0])) !=
             predicates_.end();
}

bool PredicateSet::add(Term predicate) {
  if (contains(predicate)) return false;
  predicates_.push_back(normal(predicate));
  return true;
}

std::size_t PredicateSet::add_atoms(Term formula, const std::vector<Term>& state) {
  std::size_t added = 0;
  for (Term atom : atoms(arena_, formula)) {
    const auto mentioned = variables(atom);
    const bool local = std::ranges::all_of(
        mentioned, [&](Term v) { return std::ranges::find(state, v) != state.end(); });
    if (local && !mentioned.empty() && add(atom)) ++added;
  }
  return added;
}

bool compares_with_limit(Term atom) {
  if (atom->op == Op::Not) atom = atom->args[0];
  if (atom->op != Op::Le && atom->op != Op::Lt) return false;
  const Integer apart = constant_of(atom->args[0]) - constant_of(atom->args[1]);
  return apart >= least_limit || apart <= -least_limit;
}

} // namespace tacit
