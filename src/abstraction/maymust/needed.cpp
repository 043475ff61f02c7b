#include "abstraction/maymust/needed.h"

#include <algorithm>
#include <set>

#include "abstraction/formula/path.h"

namespace tacit {

namespace {

class Needed {
public:
  Needed(const ComponentFormulas& formulas, const Trace& trace, const std::vector<Term>& known,
         const std::vector<Term>& fresh, Solver& solver)
      : formulas_(formulas), trace_(trace), known_(known), fresh_(fresh), solver_(solver),
        arena_(formulas.arena()) {}

  std::optional<std::vector<Term>> run(Term goal) {
    if (!find_literals()) return std::nullopt;
    // A word that cannot happen ends where its last step cannot be made.
    std::size_t at = literals_.size();
    if (at == 0) return std::vector<Term>{};
    if (at <= trace_.letters.size()) goal = step(at).guard;
    while (true) {
      const auto taken = contradicting(goal, literals_[--at]);
      if (!taken) return std::nullopt;
      if (at == 0) break;
      const Term after = substitute(arena_, arena_.conj(std::vector<Term>(*taken)), step(at).after);
      goal = arena_.conj(step(at).guard, arena_.negate(after));
    }
    std::vector<Term> found;
    for (const Term p : fresh_)
      if (used_.contains(p)) found.push_back(p);
    return found;
  }

private:
  /// The step to position `at`; 0 is behind the constructor.
  const StepFormula& step(std::size_t at) const {
    return formulas_.letter(trace_.letters[at - 1], Side::Above);
  }

  /// The literals of each position, as far as runs get.
  bool find_literals() {
    Path path(formulas_, trace_.constructor, Side::Above);
    for (std::size_t at = 0;; ++at) {
      std::vector<Term> query = path.conditions();
      const Truth possible = solver_.check(query);
      if (possible == Truth::Unknown) return false;
      if (possible == Truth::Unsat) return true;
      std::vector<std::pair<Term, Term>> all; // here, and at the end of the path
      for (const auto* predicates : {&known_, &fresh_})
        for (const Term p : *predicates) {
          const Term there = path.at_end(p);
          const auto value = solver_.value(there);
          if (!value) continue;
          all.emplace_back(value->truth() ? p : arena_.negate(p),
                           value->truth() ? there : arena_.negate(there));
        }
      while (!all.empty()) {
        std::vector<Term> there;
        for (const auto& [literal, end] : all) there.push_back(end);
        query.push_back(arena_.negate(arena_.conj(std::move(there))));
        const Truth some_fails = solver_.check(query);
        query.pop_back();
        if (some_fails == Truth::Unsat) break;
        const std::size_t before = all.size();
        if (some_fails == Truth::Sat)
          std::erase_if(all, [&](const auto& literal) {
            const auto value = solver_.value(literal.second);
            return !value || !value->truth();
          });
        if (all.size() == before) return false;
      }
      literals_.emplace_back();
      for (const auto& [literal, end] : all) literals_.back().push_back(literal);
      if (at == trace_.letters.size()) return true;
      path.extend(trace_.letters[at]);
    }
  }

  bool is_fresh(Term literal) const {
    const Term p = literal->op == Op::Not ? literal->args[0] : literal;
    return std::ranges::find(fresh_, p) != fresh_.end() ||
           std::ranges::find(fresh_, arena_.negate(literal)) != fresh_.end();
  }

  /// Literals that exclude the goal, few of them fresh.
  std::optional<std::vector<Term>> contradicting(Term goal, const std::vector<Term>& literals) {
    std::vector<Term> old, taken;
    for (const Term l : literals)
      if (!is_fresh(l)) old.push_back(l);
    const auto excluded = [&](const std::vector<Term>& some) {
      std::vector<Term> query{formulas_.facts(), goal};
      query.insert(query.end(), some.begin(), some.end());
      return solver_.check(query) == Truth::Unsat;
    };
    if (!excluded(old) && !excluded(literals)) return std::nullopt;
    const auto core = solver_.core();
    for (const Term l : literals)
      if (std::ranges::find(core, l) != core.end()) taken.push_back(l);
    for (std::size_t i = taken.size(); i-- > 0;) {
      if (!is_fresh(taken[i])) continue;
      std::vector<Term> less = old;
      for (std::size_t j = 0; j < taken.size(); ++j)
        if (j != i && is_fresh(taken[j])) less.push_back(taken[j]);
      if (excluded(less)) taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(i));
    }
    // What is known anyway makes up for what was dropped.
    std::vector<Term> all = old;
    for (const Term l : taken)
      if (is_fresh(l)) {
        all.push_back(l);
        used_.insert(l->op == Op::Not ? l->args[0] : l);
        used_.insert(arena_.negate(l));
      }
    if (!excluded(all)) return std::nullopt;
    std::vector<Term> fewest;
    const auto last = solver_.core();
    for (const Term l : all)
      if (std::ranges::find(last, l) != last.end()) fewest.push_back(l);
    return fewest;
  }

  const ComponentFormulas& formulas_;
  const Trace& trace_;
  const std::vector<Term>&known_, &fresh_;
  Solver& solver_;
  TermArena& arena_;
  std::vector<std::vector<Term>> literals_; // by position
  std::set<Term, TermById> used_;
};

} // namespace

std::optional<std::vector<Term>> needed(const ComponentFormulas& formulas, const Trace& trace,
                                        Term goal, const std::vector<Term>& known,
                                        const std::vector<Term>& fresh, Solver& solver) {
  return Needed(formulas, trace, known, fresh, solver).run(goal);
}

} // namespace tacit
