#include "program/reduce/slice.h"

#include <algorithm>
#include <unordered_set>

namespace tacit {

namespace {

using VariableSet = std::unordered_set<Term>;

void add(VariableSet& set, Term term) {
  if (term == nullptr) return;
  for (const Term v : variables(term)) set.insert(v);
}

/// What conditions depend on, directly or through assignments. Locals of different procedures may
/// share a term; that only keeps more.
VariableSet cone(const Module& module, Results results) {
  VariableSet kept;
  for (const Term t : module.invariants) add(kept, t);
  for (const Procedure& p : module.procedures) {
    for (const Term t : p.preconditions) add(kept, t);
    for (const Block& b : p.blocks) {
      if (b.end.kind == TerminatorKind::Branch || b.end.kind == TerminatorKind::Throw ||
          (b.end.kind == TerminatorKind::Return && results == Results::Observed))
        add(kept, b.end.value);
      for (const Statement& s : b.statements)
        if (s.kind == StatementKind::Assume) add(kept, s.value);
    }
  }
  for (std::size_t before = 0; before != kept.size();) {
    before = kept.size();
    for (const Procedure& p : module.procedures)
      for (const Block& b : p.blocks)
        for (const Statement& s : b.statements)
          if (s.kind == StatementKind::Assign && kept.contains(s.target)) add(kept, s.value);
  }
  return kept;
}

bool leaves(const Terminator& end) {
  return end.kind == TerminatorKind::Return || end.kind == TerminatorKind::Throw;
}

bool is_blocked(const Block& block) {
  return std::ranges::any_of(block.statements, [](const Statement& s) {
    return s.kind == StatementKind::Assume && is_false(s.value);
  });
}

/// A branch into a block that no run passes is an assumption.
bool assume_around_blocked(TermArena& arena, Procedure& procedure) {
  bool changed = false;
  for (Block& b : procedure.blocks) {
    if (b.end.kind != TerminatorKind::Branch) continue;
    const bool yes = is_blocked(procedure.blocks[b.end.next]),
               no = is_blocked(procedure.blocks[b.end.other]);
    if (yes == no) continue;
    b.statements.push_back({.kind = StatementKind::Assume,
                            .value = yes ? arena.negate(b.end.value) : b.end.value,
                            .where = b.end.where});
    b.end = {.kind = TerminatorKind::Goto,
             .next = yes ? b.end.other : b.end.next,
             .procedure = b.end.procedure,
             .where = b.end.where};
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
  std::unordered_set<Term> free, bound;
  for (const Variable& v : procedure.parameters) bound.insert(v.term);
  std::unordered_set<Term> locals;
  for (const Variable& v : procedure.locals) locals.insert(v.term);
  for (const Block& b : procedure.blocks) {
    for (std::size_t i = 0; i < b.statements.size(); ++i) {
      if (pair(b.statements, i)) {
        free.insert(b.statements[i].target);
        ++i;
        continue;
      }
      add(bound, b.statements[i].value);
    }
    add(bound, b.end.value);
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
bool drop(Module& module, const VariableSet& kept) {
  bool changed = false;
  for (Procedure& p : module.procedures) {
    const std::size_t blocks = p.blocks.size();
    for (Block& b : p.blocks) {
      changed |= std::erase_if(b.statements, [&](const Statement& s) {
                   return s.kind != StatementKind::Assume && !kept.contains(s.target);
                 }) > 0;
      // The value of an exit has been turned into an outcome; a default stands for it.
      if (leaves(b.end) && b.end.outcome >= 0 && b.end.kind == TerminatorKind::Return &&
          b.end.value != nullptr)
        for (const Term v : variables(b.end.value))
          if (!kept.contains(v)) {
            b.end.value = nullptr;
            break;
          }
    }
    changed |= assume_around_blocked(*module.arena, p);
    tidy(p);
    changed |= drop_free_assumptions(module, p);
    changed |= p.blocks.size() != blocks;
  }
  return changed;
}

} // namespace

void slice(Module& module, Results results) {
  VariableSet kept = cone(module, results);
  while (drop(module, kept)) kept = cone(module, results);
  for (Procedure& p : module.procedures) {
    bool valued = p.returns.has_value();
    for (const Block& b : p.blocks)
      if (b.end.kind == TerminatorKind::Return && b.end.value == nullptr) valued = false;
    if (!valued) {
      p.returns.reset();
      for (Block& b : p.blocks)
        if (b.end.kind == TerminatorKind::Return) b.end.value = nullptr;
    }
    std::unordered_set<Term> used = kept;
    for (const Block& b : p.blocks) add(used, b.end.value);
    std::erase_if(p.locals, [&](const Variable& v) { return !used.contains(v.term); });
  }
  VariableSet used = kept;
  for (const Procedure& p : module.procedures)
    for (const Block& b : p.blocks) add(used, b.end.value);
  std::erase_if(module.state, [&](const StateVariable& v) { return !used.contains(v.term); });
  for (Record& r : module.records)
    std::erase_if(r.fields, [&](const auto& field) {
      return module.find_state(r.name + "." + field.first) == nullptr;
    });
}

} // namespace tacit
