#include "program/observe/decided.h"

#include <algorithm>

#include "program/graph/postdominators.h"
#include "program/graph/uses.h"

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
  for (bool changed = true; changed;) {
    changed = false;
    follow();
    for (BlockId b = 0; b < size; ++b) {
      const Terminator& end = procedure.blocks[b].end;
      if (asks_[b] || end.kind != TerminatorKind::Branch || !reached_[b]) continue;
      const Variables known = after(b);
      asks_[b] =
          std::ranges::any_of(variables(end.value), [&](Term v) { return known.contains(v); });
      changed = changed || asks_[b];
    }
  }
}

/// Whether there is an object is such a value where one decides it: as of an allocation.
bool DecidedBy::decides_object(BlockId block, const Statement& s) const {
  const bool made = s.kind == StatementKind::New ||
                    (s.kind == StatementKind::Assign && s.value->op == Op::RefConst);
  return made && !deciders_[block].empty() &&
         std::ranges::all_of(deciders_[block], [&](BlockId branch) { return asks_[branch]; });
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
    if (local && (derived || chooses_(s) || decides_object(block, s)))
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

/// Whether a branch asks for what was counted in this call alone: neither the client nor the
/// component's state has a say in it, `return i > 0 ? i : -1` in a loop over what a collaborator
/// answers.
bool DecidedBy::counts(BlockId branch) const {
  const auto asked = variables(procedure_.blocks[branch].end.value);
  return !asked.empty() && std::ranges::all_of(asked, [&](Term v) {
    const bool passed =
        std::ranges::find(procedure_.parameters, v, &Variable::term) != procedure_.parameters.end();
    return !passed && procedure_.find_local(v->name) && is_counter(v);
  });
}

/// Only ever set to constants, or moved by them.
bool DecidedBy::is_counter(Term variable) const {
  bool counter = true;
  each_write(procedure_, [&](Term target, Term value) {
    if (target != variable) return;
    const auto from = value ? variables(value) : std::vector<Term>{};
    counter = counter && value && std::ranges::all_of(from, [&](Term v) { return v == variable; });
  });
  return counter;
}

bool DecidedBy::whether_run(BlockId block, const std::set<BlockId>& erring,
                            std::set<BlockId>& seen) const {
  if (block >= deciders_.size() || deciders_[block].empty()) return false;
  return std::ranges::all_of(deciders_[block], [&](BlockId branch) {
    if (asks_[branch]) return true;
    return seen.insert(branch).second && (only_to(branch, erring) || counts(branch)) &&
           whether_run(branch, erring, seen);
  });
}

bool DecidedBy::whether_run(BlockId block, const std::set<BlockId>& erring) const {
  std::set<BlockId> seen{block};
  return whether_run(block, erring, seen);
}

} // namespace tacit
