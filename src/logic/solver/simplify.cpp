#include "logic/solver/simplify.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "logic/solver/known_models.h"

namespace tacit {

std::vector<Term> minimise_core(Solver& solver, std::vector<Term> core) {
  std::set<Term, TermById> needed;
  const auto last_open = [&] {
    return std::find_if(core.rbegin(), core.rend(), [&](Term t) { return !needed.contains(t); });
  };
  for (auto open = last_open(); open != core.rend(); open = last_open()) {
    const Term candidate = *open;
    std::vector<Term> fewer = core;
    std::erase(fewer, candidate);
    if (solver.check(fewer) == Truth::Unsat)
      core = solver.core();
    else
      needed.insert(candidate);
  }
  return core;
}

namespace {

class Simplifier {
public:
  Simplifier(TermArena& arena, Solver& solver, std::uint64_t max_queries)
      : arena_(arena), solver_(solver), last_(solver.statistics().queries + max_queries) {}

  Term run(Term under, Term what) {
    std::vector<Term> context;
    if (!is_true(under)) context.push_back(under);
    variables_ = variables(std::vector{under, what});
    for (Term before = nullptr; what != before;) {
      before = what;
      what = join_bounds(reduce(context, what));
    }
    return what;
  }

private:
  bool spent() const { return solver_.statistics().queries >= last_; }

  bool refuted(std::vector<Term>& context, Term term) {
    if (spent()) return false;
    context.push_back(term);
    Truth truth = Truth::Sat;
    if (!known_.one_shows(context)) {
      truth = solver_.check(context);
      if (truth == Truth::Sat) known_.add(solver_, variables_);
    }
    context.pop_back();
    return truth == Truth::Unsat;
  }

  /// `term`, or something shorter that equals it wherever the context holds.
  Term reduce(std::vector<Term>& context, Term term) {
    if (is_constant(term)) return term;
    if (refuted(context, arena_.negate(term))) return arena_.truth();
    if (refuted(context, term)) return arena_.falsehood();
    switch (term->op) {
    case Op::Not: return arena_.negate(reduce_below(context, term->args[0]));
    default: return reduce_below(context, term);
    }
  }

  Term reduce_below(std::vector<Term>& context, Term term) {
    if (term->op == Op::Ite) {
      const Term condition = term->args[0];
      context.push_back(condition);
      const Term then = reduce(context, term->args[1]);
      context.back() = arena_.negate(condition);
      const Term otherwise = reduce(context, term->args[2]);
      context.pop_back();
      return arena_.ite(condition, then, otherwise);
    }
    if (term->op != Op::And && term->op != Op::Or) return term;

    // Each part may rely on the others: on all of a conjunction, on the negations in a disjunction.
    // Large parts go first, as losing them shortens most.
    std::vector<Term> parts = term->args;
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>{},
                             [&](std::size_t i) { return size(parts[i]); });
    for (std::size_t i : order) {
      const std::size_t depth = context.size();
      for (std::size_t j = 0; j < parts.size(); ++j)
        if (j != i) context.push_back(term->op == Op::And ? parts[j] : arena_.negate(parts[j]));
      parts[i] = reduce(context, parts[i]);
      context.resize(depth);
    }
    return term->op == Op::And ? arena_.conj(std::move(parts)) : arena_.disj(std::move(parts));
  }

  /// `a <= b && b <= a` is `a == b`, and dually.
  Term join_bounds(Term term) {
    if (term->sort != arena_.bool_sort() || term->args.empty()) return term;
    if (term->op == Op::Not) return arena_.negate(join_bounds(term->args[0]));
    if (term->op != Op::And && term->op != Op::Or) return term;
    const bool is_and = term->op == Op::And;
    const Op bound = is_and ? Op::Le : Op::Lt;
    std::vector<Term> parts = term->args;
    for (Term& part : parts) part = join_bounds(part);
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        if (parts[i]->op != bound || parts[j]->op != bound) continue;
        if (parts[i]->args[0] != parts[j]->args[1] || parts[i]->args[1] != parts[j]->args[0])
          continue;
        if (!by_number(parts[i]->args[0]->sort)) continue;
        const Term equal = arena_.eq(parts[i]->args[0], parts[i]->args[1]);
        parts[i] = is_and ? equal : arena_.negate(equal);
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
        break;
      }
    return is_and ? arena_.conj(std::move(parts)) : arena_.disj(std::move(parts));
  }

  /// Two enumerators may have one value; then being of equal order is not being equal.
  static bool by_number(Sort sort) {
    if (sort->kind != SortKind::Enum) return true;
    std::vector<Integer> values;
    for (const Enumerator& enumerator : sort->decl->values) values.push_back(enumerator.value);
    std::ranges::sort(values);
    return std::ranges::adjacent_find(values) == values.end();
  }

  std::size_t size(Term term) {
    if (auto found = sizes_.find(term); found != sizes_.end()) return found->second;
    std::size_t total = 1;
    for (Term arg : term->args) total += size(arg);
    return sizes_[term] = std::min<std::size_t>(total, 1'000'000);
  }

  TermArena& arena_;
  Solver& solver_;
  std::uint64_t last_;
  std::vector<Term> variables_; // of all questions
  KnownModels known_;
  std::unordered_map<Term, std::size_t> sizes_;
};

} // namespace

Term simplify(TermArena& arena, Solver& solver, Term under, Term what, std::uint64_t max_queries) {
  return Simplifier(arena, solver, max_queries).run(under, what);
}

} // namespace tacit
