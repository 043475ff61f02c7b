// The sites of a variable are those of its assignments, through other variables, whatever the order
// of statements: a variable of a handler is assigned nowhere else. Where several sites share the
// way out, which destroys what the function holds, each gets a copy of it.
#include "program/observe/sites.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace tacit {

namespace {

constexpr std::size_t longest_way = 16;  // blocks of a way out
constexpr std::size_t most_copies = 200; // blocks that are made in a procedure

using Assignments = std::unordered_map<Term, std::vector<const Statement*>>;

Assignments assignments(const Procedure& procedure) {
  Assignments found;
  for (const Block& block : procedure.blocks)
    for (const Statement& s : block.statements)
      if (s.target != nullptr) found[s.target].push_back(&s);
  return found;
}

/// The one place at which what a variable holds was made; not known when there are several.
Location only_site(const Assignments& all, Term variable) {
  std::set<Term, TermById> seen{variable};
  std::vector<Term> work{variable};
  Location site;
  while (!work.empty()) {
    const auto known = all.find(work.back());
    work.pop_back();
    if (known == all.end()) return {};
    for (const Statement* s : known->second) {
      if (s->kind != StatementKind::Assign) return {};
      if (s->value->op == Op::Var) {
        if (seen.insert(s->value).second) work.push_back(s->value);
        continue;
      }
      if (!s->where.known() || (site.known() && !(site == s->where))) return {};
      site = s->where;
    }
  }
  return site;
}

/// Who goes to a block, one entry per edge.
std::vector<std::vector<BlockId>> predecessors(const Procedure& procedure) {
  std::vector<std::vector<BlockId>> found(procedure.blocks.size());
  for (BlockId b = 0; b < procedure.blocks.size(); ++b)
    for (const BlockId next : successors(procedure.blocks[b].end)) found[next].push_back(b);
  return found;
}

/// Whether what a variable holds was made at several places that are known.
bool has_several_sites(const Assignments& all, Term variable) {
  std::set<Term, TermById> seen{variable};
  std::vector<Term> work{variable};
  std::set<Location> sites;
  while (!work.empty()) {
    const auto known = all.find(work.back());
    work.pop_back();
    if (known == all.end()) continue;
    for (const Statement* s : known->second) {
      if (s->kind != StatementKind::Assign) continue;
      if (s->value->op != Op::Var)
        sites.insert(s->where);
      else if (seen.insert(s->value).second)
        work.push_back(s->value);
    }
  }
  return sites.size() > 1;
}

class WaysOut {
public:
  WaysOut(Procedure& procedure, const Assignments& all)
      : procedure_(procedure), before_(predecessors(procedure)) {
    for (BlockId b = 0; b < procedure.blocks.size(); ++b) {
      const Terminator& end = procedure.blocks[b].end;
      if (end.kind == TerminatorKind::Throw && !end.made.known() && end.value->op == Op::Var &&
          has_several_sites(all, end.value))
        open_.push_back(b);
    }
  }

  /// Whether something was copied.
  bool part() {
    while (!open_.empty() && copies_ < most_copies) {
      const BlockId last = open_.back();
      open_.pop_back();
      part(last);
    }
    return copies_ > 0;
  }

private:
  /// The blocks before one that do nothing but go there, up to where several ways meet.
  std::vector<BlockId> way_to(BlockId last) const {
    std::vector<BlockId> way{last};
    while (way.size() < longest_way) {
      const BlockId first = way.back();
      if (first == 0 || before_[first].size() != 1) break;
      const BlockId previous = before_[first][0];
      const bool straight = successors(procedure_.blocks[previous].end).size() == 1;
      if (!straight || std::ranges::find(way, previous) != way.end()) break;
      way.push_back(previous);
    }
    return way;
  }

  void part(BlockId last) {
    const std::vector<BlockId> way = way_to(last);
    const BlockId first = way.back();
    if (first == 0 || before_[first].size() < 2 || way.size() == longest_way) return;
    // All but one of those who go there get a copy.
    const std::vector<BlockId> from = before_[first];
    for (std::size_t i = 1; i < from.size() && copies_ < most_copies; ++i) {
      if (std::ranges::count(from, from[i]) > 1 || std::ranges::find(way, from[i]) != way.end())
        continue;
      open_.push_back(copy(way, from[i]));
    }
    if (before_[first].size() == 1) open_.push_back(last);
  }

  BlockId copy(const std::vector<BlockId>& way, BlockId from) {
    const auto start = static_cast<BlockId>(procedure_.blocks.size());
    for (std::size_t i = way.size(); i-- > 0;) {
      const auto made = static_cast<BlockId>(procedure_.blocks.size());
      Block block = procedure_.blocks[way[i]];
      if (i > 0) block.end.next = made + 1;
      procedure_.blocks.push_back(std::move(block));
      before_.push_back({i + 1 == way.size() ? from : made - 1});
      ++copies_;
    }
    for (const BlockId next : successors(procedure_.blocks.back().end))
      before_[next].push_back(static_cast<BlockId>(procedure_.blocks.size() - 1));
    Terminator& end = procedure_.blocks[from].end;
    const BlockId first = way.back();
    if (end.next == first && end.kind != TerminatorKind::Throw) end.next = start;
    if (end.kind == TerminatorKind::Branch && end.other == first) end.other = start;
    for (Handler& handler : end.handlers)
      if (handler.target == first) handler.target = start;
    std::erase(before_[first], from);
    return static_cast<BlockId>(procedure_.blocks.size() - 1);
  }

  Procedure& procedure_;
  std::vector<std::vector<BlockId>> before_;
  std::vector<BlockId> open_; // throws whose ways are to be looked at
  std::size_t copies_ = 0;
};

/// The site of what is thrown at the end of a block, by the one way there is to it.
Location site_along(const Procedure& procedure, const std::vector<std::vector<BlockId>>& before,
                    const Assignments& all, BlockId block) {
  Term wanted = procedure.blocks[block].end.value;
  std::set<BlockId> seen;
  while (seen.insert(block).second) {
    const auto& statements = procedure.blocks[block].statements;
    for (auto s = statements.rbegin(); s != statements.rend(); ++s) {
      if (s->target != wanted) continue;
      if (s->kind != StatementKind::Assign) return {};
      if (s->value->op != Op::Var) return s->where;
      wanted = s->value;
    }
    if (block == 0 || before[block].size() != 1) break;
    block = before[block][0];
    // What a callee throws is not made here.
    const Terminator& end = procedure.blocks[block].end;
    if (end.kind == TerminatorKind::Call &&
        (end.result == wanted ||
         std::ranges::any_of(end.handlers, [&](const Handler& h) { return h.binder == wanted; })))
      return {};
  }
  return only_site(all, wanted);
}

} // namespace

void find_sites(Procedure& procedure) {
  if (WaysOut(procedure, assignments(procedure)).part()) tidy(procedure);
  const Assignments all = assignments(procedure);
  const auto before = predecessors(procedure);
  for (BlockId b = 0; b < procedure.blocks.size(); ++b) {
    Terminator& end = procedure.blocks[b].end;
    if (end.kind != TerminatorKind::Throw || end.made.known() || end.value->op != Op::Var) continue;
    const Location site = site_along(procedure, before, all, b);
    if (!(site == end.where)) end.made = site;
  }
}

} // namespace tacit
