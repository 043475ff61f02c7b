#include "program/observe/return_sites.h"

namespace tacit {

namespace {

/// The last assignment to a variable in a block; null when there is none.
const Statement* last_assignment(const Block& block, Term variable) {
  for (auto s = block.statements.rbegin(); s != block.statements.rend(); ++s)
    if (s->target == variable) return s->kind == StatementKind::Assign ? &*s : nullptr;
  return nullptr;
}

} // namespace

void split_returns(Procedure& procedure) {
  for (Block& block : procedure.blocks) {
    if (block.end.kind != TerminatorKind::Goto) continue;
    // Blocks in between that do nothing are passed.
    const Block* end = &procedure.blocks[block.end.next];
    for (std::size_t i = 0; i < procedure.blocks.size() && end->statements.empty() &&
                            end->end.kind == TerminatorKind::Goto;
         ++i)
      end = &procedure.blocks[end->end.next];
    const Terminator& leave = end->end;
    if (!end->statements.empty() || leave.kind != TerminatorKind::Return || !leave.value ||
        leave.value->op != Op::Var)
      continue;
    const Statement* chosen = last_assignment(block, leave.value);
    if (!chosen) continue;
    const Location where = chosen->where;
    block.end = leave;
    if (where.known()) block.end.where = where;
  }
}

} // namespace tacit
