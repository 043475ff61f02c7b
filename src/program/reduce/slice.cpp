#include "program/reduce/slice.h"

#include <algorithm>

#include "program/graph/branches.h"
#include "program/graph/dependence.h"
#include "program/graph/uses.h"

namespace tacit {

namespace {

/// What conditions depend on, directly or through assignments.
Cone conditions(const DependenceGraph& graph, Results results) {
  const Module& module = graph.module();
  Cone kept(graph);
  for (const Term t : module.invariants) kept.add_state(t);
  for (std::size_t i = 0; i < module.procedures.size(); ++i) {
    const Procedure& p = module.procedures[i];
    for (const Term t : p.preconditions) kept.add(i, t);
    for (const Block& b : p.blocks) {
      if (b.end.kind == TerminatorKind::Branch || b.end.kind == TerminatorKind::Throw ||
          (b.end.kind == TerminatorKind::Return && results == Results::Observed && b.end.value))
        kept.add(i, b.end.value);
      for (const Statement& s : b.statements)
        if (s.kind == StatementKind::Assume) kept.add(i, s.value);
    }
  }
  return kept;
}

/// A branch into a block that no run passes is an assumption.
bool assume_around_blocked(TermArena& arena, Procedure& procedure) {
  bool changed = false;
  for (Block& b : procedure.blocks) {
    if (b.end.kind != TerminatorKind::Branch) continue;
    const bool yes = is_blocked(procedure.blocks[b.end.next]),
               no = is_blocked(procedure.blocks[b.end.other]);
    if (yes == no) continue;
    assume_branch(arena, b, no);
    changed = true;
  }
  return changed;
}

/// `x != null`, of a reference.
bool is_not_null(Term condition, Term x) {
  if (x->sort->kind != SortKind::Ref || condition->op != Op::Not) return false;
  const Term equal = condition->args[0];
  return equal->op == Op::Eq && ((equal->args[0] == x && equal->args[1]->op == Op::RefConst) ||
                                 (equal->args[1] == x && equal->args[0]->op == Op::RefConst));
}

/// `havoc x; assume x` or `assume !x`, of a local that is used nowhere else: always possible. So is
/// an address that is not null, where pointers are valid also one that nobody knows: addresses of
/// objects are like that, and so are pointers that are followed.
bool drop_free_assumptions(const Module& module, Procedure& procedure) {
  auto pair = [&](const std::vector<Statement>& list, std::size_t i) {
    if (i + 1 >= list.size() || list[i].kind != StatementKind::Havoc ||
        list[i + 1].kind != StatementKind::Assume)
      return false;
    const Term value = list[i + 1].value;
    if (is_not_null(value, list[i].target))
      return list[i].chooser == Chooser::Environment ||
             (module.conventions.valid_pointers && list[i].chooser == Chooser::Unknown);
    return list[i].chooser == Chooser::Environment &&
           (value == list[i].target || (value->op == Op::Not && value->args[0] == list[i].target));
  };
  VariableSet free, bound, locals;
  for (const Variable& v : procedure.parameters) bound.insert(v.term);
  for (const Variable& v : procedure.locals) locals.insert(v.term);
  for (const Block& b : procedure.blocks) {
    for (std::size_t i = 0; i < b.statements.size(); ++i) {
      if (pair(b.statements, i)) {
        free.insert(b.statements[i].target);
        ++i;
        continue;
      }
      add_variables(bound, b.statements[i].value);
    }
    add_variables(bound, b.end.value);
  }
  bool changed = false;
  for (Block& b : procedure.blocks)
    for (std::size_t i = 0; i < b.statements.size();) {
      const Term target = b.statements[i].target;
      if (pair(b.statements, i) && locals.contains(target) && !bound.contains(target)) {
        const auto at = b.statements.begin() + static_cast<std::ptrdiff_t>(i);
        b.statements.erase(at, at + 2);
        changed = true;
      } else {
        ++i;
      }
    }
  return changed;
}

/// One round; whether a branch went away, which may make more conditions pointless.
bool drop(Module& module, const Cone& kept) {
  bool changed = false;
  for (std::size_t i = 0; i < module.procedures.size(); ++i) {
    Procedure& p = module.procedures[i];
    const std::size_t blocks = p.blocks.size();
    for (Block& b : p.blocks) {
      changed |= std::erase_if(b.statements, [&](const Statement& s) {
                   return s.kind != StatementKind::Assume && !kept.has(i, s.target);
                 }) > 0;
      // The value of an exit has been turned into an outcome; a default stands for it.
      if (b.end.kind == TerminatorKind::Return && b.end.outcome >= 0 && b.end.value &&
          !kept.has_all(i, b.end.value))
        b.end.value = nullptr;
    }
    changed |= assume_around_blocked(*module.arena, p);
    tidy(p);
    changed |= drop_free_assumptions(module, p);
    changed |= p.blocks.size() != blocks;
  }
  return changed;
}

void drop_declarations(Module& module, const Cone& kept) {
  VariableSet returned;
  for (std::size_t i = 0; i < module.procedures.size(); ++i) {
    Procedure& p = module.procedures[i];
    drop_partial_results(p);
    VariableSet used;
    for (const Block& b : p.blocks) add_variables(used, b.end.value);
    std::erase_if(p.locals, [&](const Variable& v) {
      return !kept.has(i, v.term) && !used.contains(v.term);
    });
    returned.insert(used.begin(), used.end());
  }
  keep_state(module, [&](const StateVariable& v) {
    return kept.has_state(v.term) || returned.contains(v.term);
  });
}

} // namespace

void drop_partial_results(Procedure& procedure) {
  const auto returns_nothing = [](const Block& b) {
    return b.end.kind == TerminatorKind::Return && b.end.value == nullptr;
  };
  if (procedure.returns && std::ranges::none_of(procedure.blocks, returns_nothing)) return;
  procedure.returns.reset();
  for (Block& b : procedure.blocks)
    if (b.end.kind == TerminatorKind::Return) b.end.value = nullptr;
}

void slice(Module& module, Results results) {
  while (true) {
    // Views of a component are told apart by their size (`coarsen`), so what calls have in common
    // stays alike in all of them.
    const DependenceGraph graph(module, {.by_name = true});
    const Cone kept = conditions(graph, results);
    if (drop(module, kept)) continue;
    return drop_declarations(module, kept);
  }
}

} // namespace tacit
