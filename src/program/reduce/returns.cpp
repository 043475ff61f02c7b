#include "program/reduce/returns.h"

#include <algorithm>

namespace tacit {

namespace {

/// The assignment that decides what a block hands on in a variable; null: it is none of this block.
const Statement* decides(const Block& block, Term variable) {
  for (auto s = block.statements.rbegin(); s != block.statements.rend(); ++s)
    if (s->target == variable) return s->kind == StatementKind::Assign ? &*s : nullptr;
  return nullptr;
}

} // namespace

void return_in_place(Procedure& procedure) {
  const auto& blocks = procedure.blocks;
  for (Block& block : procedure.blocks) {
    if (block.end.kind != TerminatorKind::Goto) continue;
    const Block& last = blocks[block.end.next];
    if (last.end.kind != TerminatorKind::Return || !last.statements.empty() || !last.end.value ||
        !procedure.find_local(last.end.value->name))
      continue;
    const Statement* assignment = decides(block, last.end.value);
    if (!assignment) continue;
    block.end = last.end;
    if (assignment->where.known()) block.end.where = assignment->where;
    if (is_constant(assignment->value)) block.end.value = assignment->value;
  }
  tidy(procedure);
}

} // namespace tacit
