// Two reachability questions over the graph, about the end of each block: may the flag be set
// there, and may it not be? The flag is never reset, so both are plain searches.
#include "program/observe/failures.h"

#include <algorithm>

#include "program/graph/branches.h"

namespace tacit {

namespace {

bool sets(const Statement& statement, Term flag) {
  return statement.kind == StatementKind::Assign && statement.target == flag;
}

struct FlagValues {
  std::vector<bool> may_be_set, may_be_clear; // at the end of each block
};

/// Everything reachable from `work`, which is marked in `seen` already; blocks in `closed` are not
/// entered.
void spread(const Procedure& procedure, std::vector<BlockId> work, std::vector<bool>& seen,
            const std::vector<bool>& closed) {
  while (!work.empty()) {
    const BlockId block = work.back();
    work.pop_back();
    for (const BlockId next : successors(procedure.blocks[block].end)) {
      if (seen[next] || closed[next]) continue;
      seen[next] = true;
      work.push_back(next);
    }
  }
}

FlagValues flag_values(const Procedure& procedure, Term flag) {
  const std::size_t size = procedure.blocks.size();
  std::vector<bool> setting(size, false);
  std::vector<BlockId> setters;
  for (BlockId b = 0; b < size; ++b) {
    if (std::ranges::none_of(procedure.blocks[b].statements,
                             [&](const Statement& s) { return sets(s, flag); }))
      continue;
    setting[b] = true;
    setters.push_back(b);
  }
  FlagValues values{setting, std::vector<bool>(size, false)};
  spread(procedure, setters, values.may_be_set, std::vector<bool>(size, false));
  if (!setting[0]) {
    values.may_be_clear[0] = true;
    spread(procedure, {0}, values.may_be_clear, setting);
  }
  return values;
}

void split_throw(Procedure& procedure, BlockId block, Term flag) {
  const Terminator plain = procedure.blocks[block].end;
  Terminator translated = plain;
  translated.environment = true;
  branch_to(procedure, block, flag, translated, plain);
}

} // namespace

void mark_translated(TermArena& arena, Procedure& procedure, Term failed) {
  const FlagValues values = flag_values(procedure, failed);
  bool needed = false;
  for (BlockId b = 0; b < values.may_be_set.size(); ++b) {
    Terminator& end = procedure.blocks[b].end;
    if (end.kind != TerminatorKind::Throw || end.environment || !values.may_be_set[b]) continue;
    if (values.may_be_clear[b]) {
      split_throw(procedure, b, failed);
      needed = true;
    } else {
      end.environment = true;
    }
  }
  if (needed) {
    procedure.locals.push_back({failed, Type{.sort = arena.bool_sort()}});
  } else {
    for (Block& block : procedure.blocks)
      std::erase_if(block.statements,
                    [&](const Statement& statement) { return sets(statement, failed); });
  }
}

} // namespace tacit
