#include "program/ir/module.h"

#include <algorithm>

#include "base/should.h"

namespace tacit {

const Variable* Procedure::find_local(std::string_view wanted) const {
  for (const auto* list : {&parameters, &locals})
    for (const Variable& v : *list)
      if (v.name() == wanted) return &v;
  return nullptr;
}

const Procedure* Module::find_procedure(std::string_view wanted) const {
  for (const Procedure& p : procedures)
    if (p.name == wanted) return &p;
  return nullptr;
}

Procedure* Module::find_procedure(std::string_view wanted) {
  return const_cast<Procedure*>(std::as_const(*this).find_procedure(wanted));
}

const StateVariable* Module::find_state(std::string_view wanted) const {
  for (const StateVariable& v : state)
    if (v.name() == wanted) return &v;
  return nullptr;
}

std::optional<std::size_t> Module::state_index(Term variable) const {
  for (std::size_t i = 0; i < state.size(); ++i)
    if (state[i].term == variable) return i;
  return std::nullopt;
}

std::optional<std::size_t> Module::find_exception(std::string_view wanted) const {
  for (std::size_t i = 0; i < exceptions.size(); ++i)
    if (exceptions[i].name == wanted) return i;
  return std::nullopt;
}

bool Module::exception_is(std::string_view wanted, std::string_view ancestor) const {
  if (ancestor == "*") return true;
  std::string current(wanted);
  for (std::size_t hops = 0; hops <= exceptions.size() && !current.empty(); ++hops) {
    if (current == ancestor) return true;
    const auto index = find_exception(current);
    if (!index) return false;
    if (std::ranges::find(exceptions[*index].also, ancestor) != exceptions[*index].also.end())
      return true;
    current = exceptions[*index].parent;
  }
  return false;
}

void Module::set_language(std::string wanted) {
  language = std::move(wanted);
  conventions = conventions_of(language);
}

void Module::assume(std::string text) {
  if (std::ranges::find(assumptions, text) == assumptions.end())
    assumptions.push_back(std::move(text));
}

void Module::leave_out(std::string call, std::string reason) {
  LeftOut entry{std::move(call), std::move(reason)};
  if (std::ranges::find(left_out, entry) == left_out.end()) left_out.push_back(std::move(entry));
}

Origin origin_of(const Procedure& procedure) {
  if (procedure.origin) return *procedure.origin;
  if (procedure.kind != ProcedureKind::Extern) return Origin::Own;
  const bool contract = !procedure.blocks.empty() || !procedure.ensures.empty();
  return contract ? Origin::Contract : Origin::Collaborator;
}

void Module::add_literal(const std::string& text, Integer number) {
  constexpr std::size_t longest = 80;
  const auto printable = [](unsigned char c) { return c >= ' ' && c != 0x7f; };
  if (text.size() <= longest && std::ranges::all_of(text, printable)) literals[text] = number;
}

Module clone(const Module& module) { return module; }

std::vector<BlockId> successors(const Terminator& end) {
  switch (end.kind) {
  case TerminatorKind::Goto: return {end.next};
  case TerminatorKind::Branch: return {end.next, end.other};
  case TerminatorKind::Call: {
    std::vector<BlockId> all{end.next};
    for (const Handler& h : end.handlers) all.push_back(h.target);
    return all;
  }
  default: return {};
  }
}

namespace {

void redirect(Terminator& end, const std::vector<BlockId>& to) {
  if (end.kind == TerminatorKind::Goto || end.kind == TerminatorKind::Branch ||
      end.kind == TerminatorKind::Call)
    end.next = to[end.next];
  if (end.kind == TerminatorKind::Branch) end.other = to[end.other];
  for (Handler& h : end.handlers) h.target = to[h.target];
}

constexpr BlockId unseen = static_cast<BlockId>(-1);

/// Depth-first preorder from the entry, without recursion: bodies can be long.
std::vector<BlockId> preorder(const std::vector<Block>& blocks) {
  std::vector<BlockId> order;
  std::vector<bool> seen(blocks.size(), false);
  std::vector<BlockId> stack{0};
  while (!stack.empty()) {
    const BlockId b = stack.back();
    stack.pop_back();
    if (seen[b]) continue;
    seen[b] = true;
    order.push_back(b);
    auto next = successors(blocks[b].end);
    for (auto it = next.rbegin(); it != next.rend(); ++it)
      if (!seen[*it]) stack.push_back(*it);
  }
  return order;
}

/// Follows gotos through empty blocks, unless they form a loop.
BlockId skip_empty(const std::vector<Block>& blocks, BlockId from) {
  BlockId at = from;
  for (std::size_t hops = 0; hops <= blocks.size(); ++hops) {
    const Block& b = blocks[at];
    if (!b.statements.empty() || b.end.kind != TerminatorKind::Goto) return at;
    at = b.end.next;
  }
  return from;
}

} // namespace

namespace {

/// One round of simplification; true when a branch became a goto, which may open up more.
bool simplify_jumps(std::vector<Block>& blocks) {
  bool changed = false;
  std::vector<BlockId> shortcut(blocks.size());
  for (BlockId b = 0; b < blocks.size(); ++b) shortcut[b] = skip_empty(blocks, b);
  for (Block& b : blocks) {
    redirect(b.end, shortcut);
    if (b.end.kind != TerminatorKind::Branch ||
        (b.end.next != b.end.other && b.end.value->op != Op::BoolConst))
      continue;
    const BlockId to = is_false(b.end.value) ? b.end.other : b.end.next;
    b.end = Terminator{.kind = TerminatorKind::Goto, .next = to};
    changed = true;
  }
  return changed;
}

/// Merges a block into its only predecessor when that ends in a goto to it.
void merge_chains(std::vector<Block>& blocks) {
  std::vector<std::size_t> predecessors(blocks.size(), 0);
  const auto order = preorder(blocks);
  for (BlockId b : order)
    for (BlockId s : successors(blocks[b].end)) ++predecessors[s];
  ++predecessors[0];
  for (BlockId b : order) {
    while (blocks[b].end.kind == TerminatorKind::Goto && blocks[b].end.next != b &&
           predecessors[blocks[b].end.next] == 1) {
      const BlockId taken_id = blocks[b].end.next;
      Block taken = std::move(blocks[taken_id]);
      blocks[taken_id] = Block{{}, Terminator{.kind = TerminatorKind::Goto, .next = taken_id}};
      std::ranges::move(taken.statements, std::back_inserter(blocks[b].statements));
      blocks[b].end = std::move(taken.end);
    }
  }
}

} // namespace

void tidy(Procedure& procedure) {
  auto& blocks = procedure.blocks;
  if (blocks.empty()) return;
  while (simplify_jumps(blocks)) {
  }
  merge_chains(blocks);
  const auto order = preorder(blocks);
  std::vector<BlockId> number(blocks.size(), unseen);
  for (BlockId i = 0; i < order.size(); ++i) number[order[i]] = i;
  std::vector<Block> kept;
  kept.reserve(order.size());
  for (BlockId b : order) {
    kept.push_back(std::move(blocks[b]));
    redirect(kept.back().end, number);
  }
  blocks = std::move(kept);
}

} // namespace tacit
