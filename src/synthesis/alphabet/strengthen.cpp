#include "synthesis/alphabet/strengthen.h"

#include <algorithm>
#include <set>

#include "abstraction/formula/houdini.h"
#include "abstraction/formula/predicates.h"
#include "logic/solver/simplify.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/scope.h"
#include "synthesis/alphabet/linear.h"
#include "synthesis/alphabet/merge.h"
#include "synthesis/alphabet/variant_formulas.h"

namespace tacit {
namespace {

constexpr std::size_t most_atoms = 40;      // of all conditions
constexpr std::size_t most_queries = 3'000; // for all states together

class Strengthen {
public:
  Strengthen(const Interface& fine, const Strengthening& by)
      : fine_(fine), by_(by), component_(by.formulas.component()), arena_(by.formulas.arena()),
        letters_(by.formulas) {}

  std::optional<Interface> run() {
    if (!fine_.evidence.must.empty() || fine_.evidence.safe.size() != fine_.states.size())
      return std::nullopt;
    const ModuleScope scope(component_.module());
    for (const std::string& text : fine_.evidence.safe) {
      const auto label = parse_expression(text, "label", arena_, scope, arena_.bool_sort());
      if (!label) return std::nullopt;
      labels_.push_back(*label);
    }
    find_atoms();
    if (atoms_.all().empty() || atoms_.size() > most_atoms) return std::nullopt;
    ClauseSet candidates{atoms_.all(), {}};
    candidates.add_literals();
    kept_.assign(fine_.states.size(), candidates);
    add_starts();
    add_steps();
    if (houdini(arena_, by_.solver, kept_, steps_, most_queries) == HoudiniEnd::TooMany)
      return std::nullopt;
    return written();
  }

private:
  /// What conditions on arguments and tracked values say of the state alone, and on which side of
  /// zero a number is.
  void find_atoms() {
    for (const auto* sites : {&by_.alphabet.calls, &by_.alphabet.constructors})
      for (const CallCells& cells : *sites) {
        for (Term cell : cells.entry) add_atoms(cell);
        for (const auto& [outcome, conditions] : cells.results)
          for (Term cell : conditions) add_atoms(cell);
      }
    // Nothing has been put in yet.
    for (Term tracked : by_.alphabet.tracked)
      if (tracked->op == Op::Var && tracked->sort->kind == SortKind::Map &&
          tracked->sort->value == arena_.bool_sort() && of_state(tracked))
        atoms_.add(arena_.eq(tracked, arena_.const_map(tracked->sort, arena_.falsehood())));
  }

  void add_atoms(Term cell) {
    for (Term atom : atoms(arena_, cell)) {
      if (!of_state(atom)) continue;
      atoms_.add(atom);
      if (const auto number = compared_number(arena_, atom); number && of_state(*number)) {
        const Term zero = arena_.integer(0);
        atoms_.add(arena_.le(*number, zero));
        atoms_.add(arena_.le(zero, *number));
      }
    }
  }

  bool of_state(Term term) const {
    return std::ranges::all_of(variables(term), [&](Term v) {
      const auto at = component_.module().state_index(v);
      return at && !component_.module().state[*at].client;
    });
  }

  void add_starts() {
    for (const InitialState& start : fine_.initial) {
      const auto k = index_of(fine_.constructors, start.constructor);
      const CallVariant& variant = by_.refined.constructors[k];
      const StepFormula& step = by_.formulas.constructor(variant.call, Side::Above).outcomes[0];
      const Term given = letters_.started(variant.call, variant);
      steps_.push_back({start.state,
                        [this, &step](Term atom) {
                          return substitute(arena_, substitute(arena_, atom, step.after),
                                            by_.formulas.initial());
                        },
                        [this, given] { return std::vector{by_.formulas.facts(), given}; }});
    }
  }

  void add_steps() {
    for (const InterfaceTransition& t : fine_.transitions) {
      const CallVariant& variant = by_.refined.calls[t.call];
      const std::string& name = fine_.calls[t.call].outcomes[t.outcome];
      const auto& names = by_.refined.component.calls()[t.call].outcomes;
      const Term label = without_clients_values(component_.module(), labels_[t.from]);
      for (std::size_t o = 0; o < names.size(); ++o) {
        if (name != "any" && name != names[o]) continue;
        const CallVariant::Outcome& outcome = variant.outcomes[o];
        const StepFormula& step =
            by_.formulas.call(variant.call, Side::Above).outcomes[outcome.outcome];
        if (is_false(step.guard)) continue;
        const Term given = letters_.taken(label, variant.call, outcome.outcome,
                                          arena_.conj(variant.when, outcome.when));
        steps_.push_back({t.to,
                          [this, &step](Term atom) { return substitute(arena_, atom, step.after); },
                          [this, given, from = t.from] {
                            return std::vector{given, kept_[from].conjunction(arena_)};
                          }});
      }
    }
  }

  static std::size_t index_of(const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  }

  std::optional<Interface> written() {
    Interface made = fine_;
    bool stronger = false;
    for (State q = 0; q < fine_.states.size(); ++q) {
      const Term kept = kept_[q].conjunction(arena_);
      if (by_.solver.check({by_.formulas.facts(), labels_[q], arena_.negate(kept)}) == Truth::Unsat)
        continue;
      stronger = true;
      made.states[q].label = made.evidence.safe[q] = to_string(simplify(
          arena_, by_.solver, by_.formulas.facts(), arena_.conj(labels_[q], kept), label_queries));
    }
    return stronger ? std::optional(std::move(made)) : std::nullopt;
  }

  const Interface& fine_;
  const Strengthening& by_;
  const Component& component_;
  TermArena& arena_;
  VariantFormulas letters_;
  std::vector<Term> labels_;
  PredicateSet atoms_{arena_};
  std::vector<ClauseSet> kept_;
  std::vector<HoudiniStep> steps_;
};

} // namespace

std::optional<Interface> with_stronger_labels(const Interface& fine, const Strengthening& by) {
  return Strengthen(fine, by).run();
}

} // namespace tacit
