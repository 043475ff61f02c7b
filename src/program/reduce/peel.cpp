#include "program/reduce/peel.h"

#include <algorithm>
#include <map>
#include <set>

#include "program/graph/call_graph.h"
#include "program/graph/postdominators.h"
#include "program/graph/unroll.h"
#include "program/ir/names.h"
#include "program/reduce/propagate.h"

namespace tacit {

namespace {

using Loops = std::map<BlockId, std::set<BlockId>>;

/// Natural loops by head; none when the graph is not reducible.
Loops loops_of(const Procedure& p) {
  const auto flat = unroll(p, [](BlockId) { return std::size_t{0}; }, SIZE_MAX);
  return flat ? flat->loops : Loops{};
}

void redirect(Terminator& end, const std::map<BlockId, BlockId>& to) {
  const auto move = [&](BlockId& target) {
    if (const auto found = to.find(target); found != to.end()) target = found->second;
  };
  if (end.kind == TerminatorKind::Goto || end.kind == TerminatorKind::Branch) move(end.next);
  if (end.kind == TerminatorKind::Branch) move(end.other);
}

/// The first round as a copy: whatever enters the loop enters the copy, whose back edges lead to
/// the loop.
void peel(Procedure& p, BlockId head, const std::set<BlockId>& members) {
  std::map<BlockId, BlockId> inside, entry;
  auto next = static_cast<BlockId>(p.blocks.size());
  for (const BlockId b : members) {
    if (b != head) inside[b] = next;
    if (b == head) entry[b] = next;
    ++next;
  }
  const auto size = static_cast<BlockId>(p.blocks.size());
  for (const BlockId b : members) {
    Block copy = p.blocks[b];
    redirect(copy.end, inside);
    p.blocks.push_back(std::move(copy));
  }
  for (BlockId b = 0; b < size; ++b)
    if (!members.contains(b)) redirect(p.blocks[b].end, entry);
}

bool is_outermost(const Loops& loops, BlockId head) {
  return std::ranges::none_of(
      loops, [&](const auto& loop) { return loop.first != head && loop.second.contains(head); });
}

bool has_inner(const Loops& loops, BlockId head) {
  return std::ranges::any_of(loops, [&](const auto& loop) {
    return loop.first != head && loops.at(head).contains(loop.first);
  });
}

/// Values at the head that something may read before it is written.
std::set<Term, TermById> live_at(const Procedure& p, BlockId head) {
  std::vector<std::set<Term, TermById>> in(p.blocks.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockId b = static_cast<BlockId>(p.blocks.size()); b-- > 0;) {
      std::set<Term, TermById> live;
      for (const BlockId to : successors(p.blocks[b].end))
        live.insert(in[to].begin(), in[to].end());
      const auto read = [&](Term t) {
        if (t)
          for (const Term v : variables(t)) live.insert(v);
      };
      read(p.blocks[b].end.value);
      const auto& statements = p.blocks[b].statements;
      for (auto s = statements.rbegin(); s != statements.rend(); ++s) {
        if (s->target) live.erase(s->target);
        read(s->value);
      }
      if (live.size() == in[b].size()) continue;
      in[b] = std::move(live);
      changed = true;
    }
  }
  return in[head];
}

} // namespace

void peel_loops(Module& module, bool nested, std::size_t most_blocks) {
  for (Procedure& p : module.procedures) {
    if (!is_root(p)) continue;
    const Loops loops = loops_of(p);
    const std::size_t edges = count_back_edges(p);
    // Copies stand behind the other blocks, so that numbers stay until all is done.
    Procedure made = p;
    for (const auto& [head, members] : loops) {
      if (head == 0 || !is_outermost(loops, head) ||
          made.blocks.size() + members.size() > most_blocks)
        continue;
      bool wanted = nested && has_inner(loops, head);
      if (!wanted) {
        Procedure tried = p;
        peel(tried, head, members);
        tidy(tried);
        propagate_in(module, tried);
        wanted = count_back_edges(tried) < edges;
      }
      if (wanted) peel(made, head, members);
    }
    if (made.blocks.size() == p.blocks.size()) continue;
    p = std::move(made);
    tidy(p);
    propagate_in(module, p);
  }
}

void remember_before_loops(Module& module) {
  for (Procedure& p : module.procedures) {
    if (!is_root(p)) continue;
    FreshNames names(module, p);
    const Loops loops = loops_of(p);
    for (const auto& [head, members] : loops) {
      const auto live = live_at(p, head);
      std::set<Term, TermById> written;
      for (const BlockId b : members)
        for (const Statement& s : p.blocks[b].statements)
          if (s.target && s.target->sort->kind != SortKind::Map && live.contains(s.target))
            written.insert(s.target);
      if (written.empty() || head == 0) continue;
      Block front;
      for (const Term v : written) {
        const Variable* local = p.find_local(v->name);
        const Type type =
            local && local->term == v ? local->type : module.state[*module.state_index(v)].type;
        const Term kept = add_local(*module.arena, p, names, "before." + v->name, type);
        front.statements.push_back(
            {.kind = StatementKind::Assign, .target = kept, .value = v, .where = p.where});
      }
      front.end = {.kind = TerminatorKind::Goto, .next = head, .where = p.where};
      const auto at = static_cast<BlockId>(p.blocks.size());
      for (BlockId b = 0; b < at; ++b)
        if (!members.contains(b)) redirect(p.blocks[b].end, {{head, at}});
      p.blocks.push_back(std::move(front));
    }
    // Blocks are numbered anew; a block in front of a loop has one successor and stays its own.
    tidy(p);
  }
}

} // namespace tacit
