#include "program/observe/decided.h"

#include <algorithm>

#include "program/graph/postdominators.h"

namespace tacit {

DecidedBy::DecidedBy(const Procedure& procedure, Chooses chooses)
    : procedure_(procedure), chooses_(std::move(chooses)) {
  const std::size_t size = procedure.blocks.size();
  asks_.assign(size, false);
  const bool any = std::ranges::any_of(procedure.blocks, [&](const Block& b) {
    return std::ranges::any_of(b.statements, chooses_);
  });
  if (!any) return;
  std::vector<std::vector<BlockId>> next;
  for (const Block& b : procedure.blocks) next.push_back(successors(b.end));
  deciders_ = Postdominators(std::move(next)).control_dependence();
  follow();
  for (BlockId b = 0; b < size; ++b) {
    const Terminator& end = procedure.blocks[b].end;
    if (end.kind != TerminatorKind::Branch || !reached_[b]) continue;
    const Variables known = after(b);
    asks_[b] = std::ranges::any_of(variables(end.value), [&](Term v) { return known.contains(v); });
  }
}

DecidedBy::Variables DecidedBy::after(BlockId block) const {
  Variables known = before_[block];
  for (const Statement& s : procedure_.blocks[block].statements) {
    if (!s.target) continue;
    const bool derived =
        s.kind == StatementKind::Assign &&
        std::ranges::any_of(variables(s.value), [&](Term v) { return known.contains(v); });
    // What is kept in the object is the component's from now on.
    const bool local = procedure_.find_local(s.target->name) != nullptr;
    if (local && (derived || chooses_(s)))
      known.insert(s.target);
    else
      known.erase(s.target);
  }
  return known;
}

void DecidedBy::follow() {
  before_.assign(procedure_.blocks.size(), {});
  reached_.assign(procedure_.blocks.size(), false);
  reached_[0] = true;
  std::vector<BlockId> work{0};
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    const Variables known = after(b);
    for (const BlockId next : successors(procedure_.blocks[b].end)) {
      Variables both = known;
      if (reached_[next]) std::erase_if(both, [&](Term v) { return !before_[next].contains(v); });
      if (reached_[next] && both == before_[next]) continue;
      reached_[next] = true;
      before_[next] = std::move(both);
      work.push_back(next);
    }
  }
}

/// Whether every way out from a branch ends in one of these blocks.
bool DecidedBy::only_to(BlockId branch, const std::set<BlockId>& erring) const {
  std::set<BlockId> seen{branch};
  std::vector<BlockId> work{branch};
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    const auto next = successors(procedure_.blocks[b].end);
    if (next.empty() && !erring.contains(b)) return false;
    for (const BlockId n : next)
      if (seen.insert(n).second) work.push_back(n);
  }
  return true;
}

bool DecidedBy::whether_run(BlockId block, const std::set<BlockId>& erring,
                            std::set<BlockId>& seen) const {
  if (block >= deciders_.size() || deciders_[block].empty()) return false;
  return std::ranges::all_of(deciders_[block], [&](BlockId branch) {
    if (asks_[branch]) return true;
    return seen.insert(branch).second && only_to(branch, erring) &&
           whether_run(branch, erring, seen);
  });
}

bool DecidedBy::whether_run(BlockId block, const std::set<BlockId>& erring) const {
  std::set<BlockId> seen{block};
  return whether_run(block, erring, seen);
}

} // namespace tacit
