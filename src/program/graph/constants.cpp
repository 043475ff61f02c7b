// A search backwards from where a value is used over the assignments that may have given it, as far
// as these are constants, conditionals or other locals. A local that is computed from itself (a
// counter) has no constants worth a name, even where it starts from one.
#include "program/graph/constants.h"

#include <algorithm>

#include "program/ir/defaults.h"

namespace tacit {

struct ConstantFinder::Search {
  PossibleConstants found;
  std::set<std::pair<std::uint32_t, Site>> seen; // local (by id) and where it is read
  std::vector<Term> locals;                      // those of `seen`
  bool counter = false;
};

ConstantFinder::ConstantFinder(TermArena& arena, const Procedure& procedure)
    : arena_(arena), procedure_(procedure), predecessors_(procedure.blocks.size()) {
  for (const Variable& local : procedure.locals) locals_.emplace(local.term, &local);
  for (BlockId b = 0; b < procedure.blocks.size(); ++b)
    for (const BlockId next : successors(procedure.blocks[b].end)) predecessors_[next].push_back(b);
}

PossibleConstants ConstantFinder::at_end(BlockId block, Term value) const {
  Search search;
  visit(value, {block, procedure_.blocks[block].statements.size()}, search);
  // No constant at all is left by `x := x` and the like; that says nothing either.
  if (search.counter || search.found.constants.empty()) return {.constants = {}, .other = true};
  return std::move(search.found);
}

void ConstantFinder::visit(Term value, Site site, Search& search) const {
  if (is_constant(value)) {
    search.found.constants.insert(value);
    return;
  }
  if (value->op == Op::Ite) {
    visit(value->args[1], site, search);
    visit(value->args[2], site, search);
    return;
  }
  if (const auto local = locals_.find(value); local != locals_.end()) {
    if (!search.seen.emplace(value->id, site).second) return;
    search.locals.push_back(value);
    visit_local(*local->second, site, search);
    return;
  }
  search.found.other = true;
  const auto used = variables(value);
  const auto is_used = [&](Term local) { return std::ranges::find(used, local) != used.end(); };
  search.counter |= std::ranges::any_of(search.locals, is_used);
}

/// Visits every assignment from which a path leads to the site, and the default if one does from
/// the entry.
void ConstantFinder::visit_local(const Variable& local, Site site, Search& search) const {
  std::vector<bool> seen(procedure_.blocks.size(), false);
  std::vector<Site> work{site};
  while (!work.empty()) {
    const Site at = work.back();
    work.pop_back();
    if (visit_last_assignment(local.term, at, search)) continue;
    if (at.block == 0) visit(default_term(arena_, local.type), at, search);
    for (const BlockId before : predecessors_[at.block]) {
      if (seen[before]) continue;
      seen[before] = true;
      if (set_by_call(local.term, before)) search.found.other = true;
      work.push_back({before, procedure_.blocks[before].statements.size()});
    }
  }
}

/// The last assignment in the site's block; false when there is none.
bool ConstantFinder::visit_last_assignment(Term local, Site before, Search& search) const {
  const auto& statements = procedure_.blocks[before.block].statements;
  for (std::size_t i = before.index; i-- > 0;) {
    if (statements[i].target != local) continue;
    if (statements[i].kind == StatementKind::Assign)
      visit(statements[i].value, {before.block, i}, search);
    else
      search.found.other = true;
    return true;
  }
  return false;
}

bool ConstantFinder::set_by_call(Term local, BlockId block) const {
  const Terminator& end = procedure_.blocks[block].end;
  return end.kind == TerminatorKind::Call &&
         (end.result == local || std::ranges::any_of(end.handlers, [&](const Handler& handler) {
            return handler.binder == local;
          }));
}

} // namespace tacit
