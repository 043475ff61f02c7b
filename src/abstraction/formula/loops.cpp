#include "abstraction/formula/loops.h"

#include <algorithm>
#include <set>

#include "abstraction/formula/cubes.h"
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

namespace {

constexpr std::size_t most_literals = 80, most_split = 8, most_cubes = 128;

class InvariantSearch {
public:
  InvariantSearch(const Procedure& procedure, const BodyFormula& body, Term facts,
                  const Substitution& before, const std::vector<Term>& predicates, Solver& solver,
                  TermArena& arena)
      : arena_(arena), procedure_(procedure), body_(body), facts_(facts), before_(before),
        solver_(solver) {
    for (const LoopCut& cut : body.cuts) {
      Head head{.cut = &cut, .literals = {}, .open = {}, .cubes = {}};
      propose(head, predicates);
      heads_.push_back(std::move(head));
    }
  }

  LoopInvariants run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Head& head : heads_) changed = drop_literals(head) || changed;
    }
    split();
    return invariants();
  }

private:
  struct Head {
    const LoopCut* cut;
    std::vector<Term> literals; // that hold
    std::vector<Term> open;     // predicates of which neither side holds
    std::vector<Cube> cubes;    // of those, that may occur
    bool splitting = false;
  };

  void propose(Head& head, const std::vector<Term>& predicates) {
    std::set<Term, TermById> written, seen;
    for (const auto& [variable, value] : head.cut->head.values)
      if (std::ranges::any_of(body_.inputs,
                              [&](const FormulaInput& i) { return i.variable == value; }))
        written.insert(variable);
    std::vector<Term> known;
    auto offer = [&](Term atom) {
      const auto mentioned = variables(atom);
      const bool relevant =
          std::ranges::any_of(mentioned, [&](Term v) { return written.contains(v); });
      if (!relevant || head.literals.size() > most_literals || !seen.insert(atom).second) return;
      head.open.push_back(atom);
      for (Term literal : {atom, arena_.negate(atom)}) head.literals.push_back(literal);
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
  }

  Term invariant(const Head& head) const {
    std::vector<Term> parts = head.literals;
    if (head.splitting) parts.push_back(cover(arena_, head.open, head.cubes));
    return arena_.conj(std::move(parts));
  }

  LoopInvariants invariants() const {
    LoopInvariants all;
    for (const Head& head : heads_) all[head.cut->block] = invariant(head);
    return all;
  }

  Term filled(Term formula) const {
    return substitute(arena_, fill_in(arena_, body_, invariants(), formula), before_);
  }

  static std::vector<const FormulaPlace*> places(const Head& head) {
    std::vector<const FormulaPlace*> all;
    for (const FormulaPlace& p : head.cut->arrive) all.push_back(&p);
    for (const FormulaPlace& p : head.cut->go_on) all.push_back(&p);
    return all;
  }

  /// Drops literals that do not hold on some way to the head.
  bool drop_literals(Head& head) {
    bool changed = false;
    for (const FormulaPlace* place : places(head)) {
      while (!head.literals.empty()) {
        const Term path = filled(place->path);
        std::vector<Term> there;
        for (Term literal : head.literals)
          there.push_back(filled(substitute(arena_, literal, place->values)));
        const Truth answer = solver_.check({facts_, path, arena_.negate(arena_.conj(there))});
        if (answer == Truth::Unsat) break;
        changed = true;
        if (answer == Truth::Unknown) {
          head.literals.clear();
          break;
        }
        std::vector<Term> kept;
        for (std::size_t i = 0; i < there.size(); ++i) {
          const auto value = solver_.value(there[i]);
          if (value && value->truth()) kept.push_back(head.literals[i]);
        }
        head.literals = kept.size() < head.literals.size() ? std::move(kept) : std::vector<Term>();
      }
    }
    return changed;
  }

  /// The combinations of open predicates that may occur.
  void split() {
    for (Head& head : heads_) {
      std::erase_if(head.open, [&](Term p) {
        return std::ranges::find(head.literals, p) != head.literals.end() ||
               std::ranges::find(head.literals, arena_.negate(p)) != head.literals.end();
      });
      if (head.open.size() > most_split) head.open.resize(most_split);
      head.splitting = !head.open.empty();
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (Head& head : heads_) {
        if (!head.splitting) continue;
        for (const FormulaPlace* place : places(head)) {
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
