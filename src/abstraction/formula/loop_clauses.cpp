#include "abstraction/formula/loop_clauses.h"

#include <algorithm>
#include <set>

#include "abstraction/formula/predicates.h"

namespace tacit {

namespace {

constexpr std::string_view remembered = "before.";
constexpr std::size_t most_atoms = 56;

bool is_remembering(const Statement& s) {
  return s.kind == StatementKind::Assign && s.target->name.starts_with(remembered) &&
         s.value->op == Op::Var;
}

std::vector<Term> atoms_at(TermArena& arena, const Procedure& procedure, const BodyFormula& body,
                           const LoopCut& cut, const std::vector<Term>& predicates) {
  // What the loop writes, and of that what the block in front of it remembers.
  std::set<Term, TermById> written;
  for (const auto& [variable, value] : cut.head.values)
    if (std::ranges::any_of(
            body.inputs, [&](const FormulaInput& i) { return i.variable == value && i.at_head; }))
      written.insert(variable);
  std::map<Term, Term, TermById> kept;
  std::vector<Term> all;
  for (const Block& block : procedure.blocks) {
    if (block.end.kind != TerminatorKind::Goto || block.end.next != cut.block) continue;
    for (const Statement& s : block.statements)
      if (is_remembering(s) && written.contains(s.value)) kept[s.value] = s.target;
  }
  std::set<Term, TermById> seen;
  const auto take = [&](Term atom) {
    if (atom->op == Op::Not) atom = atom->args[0];
    if (atom->op == Op::BoolConst || all.size() >= most_atoms || !seen.insert(atom).second) return;
    all.push_back(atom);
  };
  const auto offer = [&](Term atom) {
    std::vector<Term> changing;
    for (const Term v : variables(atom))
      if (written.contains(v)) changing.push_back(v);
    if (changing.empty() ||
        std::ranges::any_of(changing, [&](Term v) { return !kept.contains(v); }))
      return;
    take(atom);
    if (changing.size() == 1) take(substitute(arena, atom, {{changing[0], kept.at(changing[0])}}));
  };
  for (const auto& [variable, old] : kept) {
    if (variable->sort == arena.bool_sort()) {
      take(variable);
      take(old);
    } else {
      take(arena.eq(variable, old));
    }
  }
  for (const Term p : predicates) offer(p);
  for (const Block& block : procedure.blocks)
    for (const Statement& s : block.statements)
      if (s.kind == StatementKind::Assign && is_constant(s.value) &&
          s.value->sort->kind == SortKind::Int)
        offer(arena.eq(s.target, s.value));
  for (const Block& block : procedure.blocks)
    if (block.end.kind == TerminatorKind::Branch)
      for (const Term atom : atoms(arena, block.end.value)) offer(atom);
  return all;
}

/// About locals alone: what a loop notes for those behind it. Clauses say what goes with that.
bool is_flag(const Module& module, Term atom) {
  return std::ranges::none_of(variables(atom), [&](Term v) {
    std::string_view name = v->name;
    if (name.starts_with(remembered)) name.remove_prefix(remembered.size());
    return std::ranges::any_of(module.state, [&](const StateVariable& s) {
      return name == s.name() || name.starts_with(s.name() + ".");
    });
  });
}

class ClauseSearch {
public:
  ClauseSearch(const Module& module, const BodyFormula& body, Term facts,
               const Substitution& before, const LoopAtoms& atoms, Solver& solver)
      : arena_(*module.arena), facts_(facts), before_(before), solver_(solver) {
    for (std::size_t c = 0; c < body.cuts.size(); ++c) {
      heads_.push_back({.cut = &body.cuts[c], .atoms = atoms[c], .clauses = {}});
      Head& head = heads_.back();
      std::vector<bool> flags;
      for (const Term atom : head.atoms) flags.push_back(is_flag(module, atom));
      for (std::size_t a = 0; a < 2 * head.atoms.size(); ++a)
        for (std::size_t b = a; b < 2 * head.atoms.size(); ++b)
          if (a == b || (a / 2 != b / 2 && (flags[a / 2] || flags[b / 2])))
            head.clauses.insert({a, b});
    }
  }

  LoopInvariants run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Head& head : heads_) changed = drop(head) || changed;
    }
    LoopInvariants all;
    for (const Head& head : heads_)
      all[head.cut->block] = arena_.conj(terms(head, [&](Term atom) { return atom; }));
    return all;
  }

private:
  /// Literals are numbered: the atom's number twice, plus one for its negation. A clause of one
  /// literal has it twice.
  using Clause = std::pair<std::size_t, std::size_t>;
  struct Head {
    const LoopCut* cut;
    std::vector<Term> atoms;
    std::set<Clause> clauses;
  };

  /// The clauses that no single literal makes superfluous.
  template <class Value> std::vector<Term> terms(const Head& head, Value value) const {
    std::vector<Term> found, literals;
    for (const Term atom : head.atoms) {
      literals.push_back(value(atom));
      literals.push_back(arena_.negate(literals.back()));
    }
    for (const auto& [a, b] : head.clauses) {
      if (a != b && (head.clauses.contains({a, a}) || head.clauses.contains({b, b}))) continue;
      found.push_back(arena_.disj(literals[a], literals[b]));
    }
    return found;
  }

  Term at_start(Term t) const { return substitute(arena_, t, before_); }

  /// What is taken for true at each head.
  std::vector<Term> given() const {
    std::vector<Term> all;
    for (const Head& head : heads_) {
      const auto there =
          terms(head, [&](Term atom) { return substitute(arena_, atom, head.cut->head.values); });
      all.push_back(
          at_start(arena_.implies(head.cut->placeholder, arena_.conj(std::vector<Term>(there)))));
    }
    return all;
  }

  bool drop(Head& head) {
    std::vector<const FormulaPlace*> places;
    for (const FormulaPlace& p : head.cut->arrive) places.push_back(&p);
    for (const FormulaPlace& p : head.cut->go_on) places.push_back(&p);
    bool changed = false;
    for (const FormulaPlace* place : places)
      while (!head.clauses.empty()) {
        std::vector<Term> values;
        for (const Term atom : head.atoms)
          values.push_back(at_start(substitute(arena_, atom, place->values)));
        std::size_t next = 0;
        const auto there = terms(head, [&](Term) { return values[next++]; });
        std::vector<Term> query = given();
        query.push_back(facts_);
        query.push_back(at_start(place->path));
        query.push_back(arena_.negate(arena_.conj(std::vector<Term>(there))));
        const Truth answer = solver_.check(query);
        if (answer == Truth::Unsat) break;
        changed = true;
        const std::size_t before = head.clauses.size();
        if (answer == Truth::Sat) {
          std::vector<bool> holds;
          for (const Term v : values) {
            const auto value = solver_.value(v);
            holds.push_back(value && value->truth());
          }
          const auto literal = [&](std::size_t l) { return holds[l / 2] != (l % 2 == 1); };
          std::erase_if(head.clauses,
                        [&](const Clause& c) { return !literal(c.first) && !literal(c.second); });
        }
        if (answer == Truth::Unknown || head.clauses.size() == before) head.clauses.clear();
      }
    return changed;
  }

  TermArena& arena_;
  Term facts_;
  const Substitution& before_;
  Solver& solver_;
  std::vector<Head> heads_;
};

} // namespace

bool remembers(const Procedure& procedure) {
  return std::ranges::any_of(procedure.blocks, [](const Block& block) {
    return std::ranges::any_of(block.statements, is_remembering);
  });
}

LoopAtoms clause_atoms(TermArena& arena, const Procedure& procedure, const BodyFormula& body,
                       const std::vector<Term>& predicates) {
  LoopAtoms all;
  for (const LoopCut& cut : body.cuts)
    all.push_back(atoms_at(arena, procedure, body, cut, predicates));
  return all;
}

LoopInvariants clause_invariants(const Module& module, const BodyFormula& body, Term facts,
                                 const Substitution& before, const LoopAtoms& atoms,
                                 Solver& solver) {
  return ClauseSearch(module, body, facts, before, atoms, solver).run();
}

} // namespace tacit
