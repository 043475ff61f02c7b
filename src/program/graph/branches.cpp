#include "program/graph/branches.h"

#include <algorithm>

namespace tacit {

bool is_blocked(const Block& block) {
  return std::ranges::any_of(block.statements, [](const Statement& s) {
    return s.kind == StatementKind::Assume && is_false(s.value);
  });
}

void go_to(Block& block, BlockId target) {
  block.end = {.kind = TerminatorKind::Goto,
               .next = target,
               .procedure = block.end.procedure,
               .where = block.end.where};
}

BlockId branch_to(Procedure& procedure, BlockId block, Term condition, Terminator yes,
                  Terminator no) {
  const auto next = static_cast<BlockId>(procedure.blocks.size());
  Terminator& end = procedure.blocks[block].end;
  end = {.kind = TerminatorKind::Branch,
         .value = condition,
         .next = next,
         .other = next + 1,
         .procedure = end.procedure,
         .where = end.where};
  procedure.blocks.push_back({{}, std::move(yes)});
  procedure.blocks.push_back({{}, std::move(no)});
  return next;
}

void assume_branch(TermArena& arena, Block& block, bool way) {
  block.statements.push_back({.kind = StatementKind::Assume,
                              .value = way ? block.end.value : arena.negate(block.end.value),
                              .where = block.end.where});
  go_to(block, way ? block.end.next : block.end.other);
}

} // namespace tacit
