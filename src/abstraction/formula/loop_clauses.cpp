#include "abstraction/formula/loop_clauses.h"

#include <algorithm>
#include <set>

#include "abstraction/formula/houdini.h"
#include "abstraction/formula/predicates.h"

namespace tacit {

namespace {

constexpr std::string_view remembered = "before.";
constexpr std::size_t most_atoms = 56; // clauses are pairs of them

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

/// Single literals, and clauses of two of which one is a flag.
ClauseSet candidates(const Module& module, const std::vector<Term>& atoms) {
  ClauseSet made{.atoms = atoms};
  made.add_literals();
  std::vector<bool> flags;
  for (const Term atom : atoms) flags.push_back(is_flag(module, atom));
  for (std::size_t a = 0; a < 2 * atoms.size(); ++a)
    for (std::size_t b = a + 1; b < 2 * atoms.size(); ++b)
      if (a / 2 != b / 2 && (flags[a / 2] || flags[b / 2])) made.clauses.insert({a, b});
  return made;
}

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
  TermArena& arena = *module.arena;
  const auto at_start = [&](Term t) { return substitute(arena, t, before); };
  std::vector<ClauseSet> heads;
  for (const auto& at_head : atoms) heads.push_back(candidates(module, at_head));
  // What is taken for true at each head.
  const auto given = [&] {
    std::vector<Term> all;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      std::vector<Term> values;
      for (const Term atom : heads[h].atoms)
        values.push_back(substitute(arena, atom, body.cuts[h].head.values));
      all.push_back(at_start(
          arena.implies(body.cuts[h].placeholder, arena.conj(heads[h].terms(arena, values)))));
    }
    return all;
  };
  std::vector<HoudiniStep> steps;
  for (std::size_t h = 0; h < heads.size(); ++h)
    for (const FormulaPlace* place : ways_to(body.cuts[h]))
      steps.push_back(
          {h, [&, place](Term atom) { return at_start(substitute(arena, atom, place->values)); },
           [&, place] {
             std::vector<Term> all = given();
             all.push_back(facts);
             all.push_back(at_start(place->path));
             return all;
           }});
  houdini(arena, solver, heads, steps);
  LoopInvariants all;
  for (std::size_t h = 0; h < heads.size(); ++h)
    all[body.cuts[h].block] = heads[h].conjunction(arena);
  return all;
}

} // namespace tacit
