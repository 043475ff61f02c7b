#include "program/observe/return_sites.h"

namespace tacit {

namespace {

/// The last assignment to a variable in a block; null when there is none.
const Statement* last_assignment(const Block& block, Term variable) {
  for (auto s = block.statements.rbegin(); s != block.statements.rend(); ++s)
    if (s->target == variable) return s->kind == StatementKind::Assign ? &*s : nullptr;
  return nullptr;
}

/// What a block that hands a variable through returns in the end, `retval := cond; return retval`;
/// null when it does anything else.
Term handed_through(const Block& block) {
  if (block.end.kind != TerminatorKind::Return || !block.end.value) return nullptr;
  Term value = block.end.value;
  for (auto s = block.statements.rbegin(); s != block.statements.rend(); ++s) {
    if (s->kind != StatementKind::Assign || s->target != value) return nullptr;
    value = s->value;
  }
  return value->op == Op::Var ? value : nullptr;
}

/// One round; whether anything was split.
bool split_once(Procedure& procedure) {
  bool changed = false;
  for (Block& block : procedure.blocks) {
    if (block.end.kind != TerminatorKind::Goto) continue;
    // Blocks in between that do nothing are passed.
    const Block* end = &procedure.blocks[block.end.next];
    for (std::size_t i = 0; i < procedure.blocks.size() && end->statements.empty() &&
                            end->end.kind == TerminatorKind::Goto;
         ++i)
      end = &procedure.blocks[end->end.next];
    const Term value = handed_through(*end);
    const Statement* chosen = value ? last_assignment(block, value) : nullptr;
    if (!chosen) continue;
    const Location where = chosen->where;
    const std::vector<Statement> handing = end->statements;
    block.end = end->end;
    if (where.known()) block.end.where = where;
    block.statements.insert(block.statements.end(), handing.begin(), handing.end());
    changed = true;
  }
  return changed;
}

} // namespace

void split_returns(Procedure& procedure) {
  while (split_once(procedure)) {
  }
}

} // namespace tacit
