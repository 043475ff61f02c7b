#include "abstraction/formula/loops.h"

#include <algorithm>
#include <set>

#include "abstraction/formula/cubes.h"
#include "abstraction/formula/houdini.h"
#include "abstraction/formula/predicates.h"

namespace tacit {

Term fill_in(TermArena& arena, const BodyFormula& body, const LoopInvariants& invariants,
             Term formula) {
  // Values at the head of an inner loop may mention the placeholders of those around it.
  for (auto cut = body.cuts.rbegin(); cut != body.cuts.rend(); ++cut) {
    const auto known = invariants.find(cut->block);
    const Term invariant = known == invariants.end() ? arena.truth() : known->second;
    formula = substitute(arena, formula,
                         {{cut->placeholder, substitute(arena, invariant, cut->head.values)}});
  }
  return formula;
}

std::vector<const FormulaPlace*> ways_to(const LoopCut& cut) {
  std::vector<const FormulaPlace*> all;
  for (const auto* places : {&cut.arrive, &cut.go_on})
    for (const FormulaPlace& p : *places) all.push_back(&p);
  return all;
}

namespace {

/// Atoms at a head: each costs a model value per query. Of those that stay open, few are split, as
/// All-SAT enumerates their combinations.
constexpr std::size_t most_invariant_atoms = 40, most_split = 8, most_cubes = 128;

class InvariantSearch {
public:
  InvariantSearch(const Procedure& procedure, const BodyFormula& body, Term facts,
                  const Substitution& before, const std::vector<Term>& predicates, Solver& solver,
                  TermArena& arena)
      : arena_(arena), procedure_(procedure), body_(body), facts_(facts), before_(before),
        solver_(solver) {
    for (const LoopCut& cut : body.cuts) {
      heads_.push_back({.cut = &cut});
      literals_.push_back({.atoms = propose(cut, predicates)});
      literals_.back().add_literals();
    }
  }

  LoopInvariants run() {
    drop_literals();
    split();
    return invariants();
  }

private:
  struct Head {
    const LoopCut* cut;
    std::vector<Term> open{};  // predicates of which neither side holds
    std::vector<Cube> cubes{}; // of those, that may occur
    bool splitting = false;
  };

  std::vector<Term> propose(const LoopCut& cut, const std::vector<Term>& predicates) {
    std::set<Term, TermById> written, seen;
    for (const auto& [variable, value] : cut.head.values)
      if (std::ranges::any_of(body_.inputs,
                              [&](const FormulaInput& i) { return i.variable == value; }))
        written.insert(variable);
    std::vector<Term> found;
    auto offer = [&](Term atom) {
      const auto mentioned = variables(atom);
      const bool relevant =
          std::ranges::any_of(mentioned, [&](Term v) { return written.contains(v); });
      if (relevant && found.size() <= most_invariant_atoms && seen.insert(atom).second)
        found.push_back(atom);
    };
    auto offer_with_bounds = [&](Term atom) {
      offer(atom);
      if (atom->op != Op::Lt && atom->op != Op::Le && atom->op != Op::Eq) return;
      const Term a = atom->args[0], b = atom->args[1];
      if (a->sort->kind != SortKind::Int) return;
      offer(arena_.le(a, b));
      offer(arena_.le(b, a));
    };
    for (Term p : predicates) offer_with_bounds(p);
    for (const Block& block : procedure_.blocks) {
      if (block.end.kind == TerminatorKind::Branch)
        for (Term atom : atoms(arena_, block.end.value)) offer_with_bounds(atom);
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::Assume)
          for (Term atom : atoms(arena_, s.value)) offer_with_bounds(atom);
        if (s.kind == StatementKind::Assign && s.target->sort == arena_.bool_sort())
          offer(s.target);
        if (s.kind == StatementKind::Assign && s.value->sort->kind != SortKind::Map &&
            s.value->sort != arena_.bool_sort() && (is_constant(s.value) || s.value->op == Op::Var))
          offer_with_bounds(arena_.eq(s.target, s.value));
      }
    }
    return found;
  }

  LoopInvariants invariants() const {
    LoopInvariants all;
    for (std::size_t h = 0; h < heads_.size(); ++h) {
      std::vector<Term> parts = literals_[h].terms(arena_, literals_[h].atoms);
      if (heads_[h].splitting) parts.push_back(cover(arena_, heads_[h].open, heads_[h].cubes));
      all[heads_[h].cut->block] = arena_.conj(std::move(parts));
    }
    return all;
  }

  Term filled(Term formula) const {
    return substitute(arena_, fill_in(arena_, body_, invariants(), formula), before_);
  }

  void drop_literals() {
    std::vector<HoudiniStep> steps;
    for (std::size_t h = 0; h < heads_.size(); ++h)
      for (const FormulaPlace* place : ways_to(*heads_[h].cut))
        steps.push_back(
            {h,
             [this, place](Term atom) { return filled(substitute(arena_, atom, place->values)); },
             [this, place] { return std::vector<Term>{facts_, filled(place->path)}; }});
    houdini(arena_, solver_, literals_, steps);
  }

  /// The combinations of open predicates that may occur.
  void split() {
    for (std::size_t h = 0; h < heads_.size(); ++h) {
      Head& head = heads_[h];
      const ClauseSet& known = literals_[h];
      for (std::size_t a = 0; a < known.atoms.size(); ++a)
        if (!known.has_literal(2 * a) && !known.has_literal(2 * a + 1))
          head.open.push_back(known.atoms[a]);
      if (head.open.size() > most_split) head.open.resize(most_split);
      head.splitting = !head.open.empty();
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (Head& head : heads_) {
        if (!head.splitting) continue;
        for (const FormulaPlace* place : ways_to(*head.cut)) {
          std::vector<Term> there;
          for (Term p : head.open) there.push_back(filled(substitute(arena_, p, place->values)));
          const std::vector<Term> assumptions{facts_, filled(place->path)};
          const auto answer =
              solver_.all_sat(assumptions, there, [&](const std::vector<bool>& values) {
                Cube cube = 0;
                for (std::size_t i = 0; i < values.size(); ++i)
                  if (values[i]) cube |= Cube{1} << i;
                if (std::ranges::find(head.cubes, cube) == head.cubes.end()) {
                  head.cubes.push_back(cube);
                  changed = true;
                }
                return head.cubes.size() <= most_cubes;
              });
          if (answer == Enumeration::Complete) continue;
          head.splitting = false;
          changed = true;
        }
      }
    }
  }

  TermArena& arena_;
  const Procedure& procedure_;
  const BodyFormula& body_;
  Term facts_;
  const Substitution& before_;
  Solver& solver_;
  std::vector<Head> heads_;
  std::vector<ClauseSet> literals_; // by head: that hold
};

} // namespace

Result<LoopInvariants> loop_invariants(const Component& component, const Procedure& procedure,
                                       const BodyFormula& body, Term facts,
                                       const Substitution& before,
                                       const std::vector<Term>& predicates, Solver& solver) {
  return InvariantSearch(procedure, body, facts, before, predicates, solver, component.arena())
      .run();
}

} // namespace tacit
