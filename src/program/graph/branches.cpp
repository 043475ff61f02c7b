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

void assume_branch(TermArena& arena, Block& block, bool way) {
  block.statements.push_back({.kind = StatementKind::Assume,
                              .value = way ? block.end.value : arena.negate(block.end.value),
                              .where = block.end.where});
  go_to(block, way ? block.end.next : block.end.other);
}

} // namespace tacit
