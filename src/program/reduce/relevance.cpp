#include "program/reduce/relevance.h"

#include <algorithm>
#include <unordered_map>

#include "program/graph/branches.h"
#include "program/graph/call_graph.h"
#include "program/graph/dependence.h"
#include "program/graph/effects.h"
#include "program/graph/uses.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

class Relevance {
public:
  Relevance(Module& module, const RelevanceOptions& options)
      : module_(module), options_(options), calls_(call_graph(module)),
        reached_(reached(module, calls_)), ways_(module.procedures.size()) {
    for (std::size_t i = 0; i < module.procedures.size(); ++i)
      index_.emplace(module.procedures[i].name, i);
  }

  bool run() {
    find_stops();
    find_ends();
    each_reached([&](std::size_t i) { cut_dead_ends(i); });
    const DependenceGraph graph(module_,
                                {.control = Control::Decides,
                                 .calls = true,
                                 .choices = true,
                                 .successors = [&](const Block& block) { return next(block); },
                                 .covers = [&](std::size_t i) { return reached_[i]; }});
    Cone kept(graph);
    add_sinks(graph, kept);
    each_reached([&](std::size_t i) { rewrite(i, graph, kept); });
    return dropped_;
  }

private:
  /// How a procedure may end.
  struct Ways {
    bool ends = false; // some path leaves it: by return, throw or an error that counts
    bool returns = false;
    bool stops = false; // it may not come to its end: it assumes something, or loops
  };

  template <class Visit> void each_reached(Visit visit) {
    for (std::size_t i = 0; i < module_.procedures.size(); ++i)
      if (reached_[i]) visit(i);
  }

  const Ways& callee(const Terminator& call) const { return ways_[index_.at(call.name)]; }

  bool leaves(const Terminator& end) const {
    return end.kind == TerminatorKind::Return || end.kind == TerminatorKind::Throw ||
           (end.kind == TerminatorKind::Error && options_.errors);
  }

  /// Where a run can go on to: a callee that never returns leads nowhere.
  std::vector<BlockId> next(const Block& block) const {
    if (is_blocked(block)) return {};
    if (block.end.kind != TerminatorKind::Call) return successors(block.end);
    std::vector<BlockId> all;
    const Ways& called = callee(block.end);
    if (called.returns) all.push_back(block.end.next);
    if (called.ends)
      for (const Handler& h : block.end.handlers) all.push_back(h.target);
    return all;
  }

  /// A call behind which runs end, but not by returning.
  bool never_returns(const Terminator& end) const {
    return end.kind == TerminatorKind::Call && callee(end).ends && !callee(end).returns;
  }

  void find_stops() {
    for (const auto& group : calls_.bottom_up)
      for (const std::size_t i : group) {
        const Procedure& p = module_.procedures[i];
        ways_[i].stops = calls_.recursive[i] || assumptions(p) > 0 || count_back_edges(p) > 0 ||
                         std::ranges::any_of(calls_.callees[i], [&](std::size_t callee) {
                           return ways_[callee].stops;
                         });
      }
  }

  /// Whether anything ever leaves a procedure, to a fixpoint over the calls.
  void find_ends() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < ways_.size(); ++i) {
        Ways& known = ways_[i];
        if (!reached_[i] || (known.ends && known.returns)) continue;
        const auto& blocks = module_.procedures[i].blocks;
        std::vector<bool> seen(blocks.size(), false);
        std::vector<BlockId> work{0};
        bool ends = blocks.empty(), returns = blocks.empty();
        while (!work.empty() && !blocks.empty()) {
          const BlockId b = work.back();
          work.pop_back();
          if (seen[b]) continue;
          seen[b] = true;
          const Block& block = blocks[b];
          if (!is_blocked(block)) {
            ends = ends || leaves(block.end);
            returns = returns || block.end.kind == TerminatorKind::Return;
            // What a callee throws or where it errs leaves the caller as well.
            ends = ends || never_returns(block.end);
          }
          for (const BlockId to : next(block)) work.push_back(to);
        }
        if (ends == known.ends && returns == known.returns) continue;
        known.ends = ends;
        known.returns = returns;
        more = true;
      }
    }
  }

  /// A branch into blocks that nothing leaves becomes an assumption.
  void cut_dead_ends(std::size_t i) {
    Procedure& p = module_.procedures[i];
    std::vector<bool> alive(p.blocks.size(), false);
    for (bool more = true; more;) {
      more = false;
      for (BlockId b = 0; b < p.blocks.size(); ++b) {
        if (alive[b]) continue;
        const Block& block = p.blocks[b];
        const bool here = !is_blocked(block) &&
                          (leaves(block.end) ||
                           (block.end.kind == TerminatorKind::Call && callee(block.end).ends));
        if (!here && std::ranges::none_of(next(block), [&](BlockId to) { return alive[to]; }))
          continue;
        alive[b] = more = true;
      }
    }
    for (Block& block : p.blocks) {
      const Terminator& end = block.end;
      if (end.kind != TerminatorKind::Branch || alive[end.next] == alive[end.other]) continue;
      assume_branch(*module_.arena, block, alive[end.next]);
    }
    tidy(p);
  }

  /// What a client sees: errors and exceptions, what methods return, and the chosen state.
  void add_sinks(const DependenceGraph& graph, Cone& kept) const {
    for (const StateVariable& v : module_.state)
      if (options_.state.contains(v.name())) kept.add_state(v.term);
    for (const Term t : module_.invariants) kept.add_state(t);
    for (std::size_t i = 0; i < module_.procedures.size(); ++i) {
      if (!reached_[i]) continue;
      const Procedure& p = module_.procedures[i];
      for (const Term t : p.preconditions) kept.add(i, t);
      if (is_root(p) && options_.returned) {
        kept.add(graph.result(i));
        if (const Variable* out = p.out_variable()) kept.add(i, out->term);
      }
      for (BlockId b = 0; b < p.blocks.size(); ++b) {
        const Terminator& end = p.blocks[b].end;
        const bool event = end.kind == TerminatorKind::Throw ||
                           (end.kind == TerminatorKind::Error && options_.errors);
        if (event) kept.add(graph.effect(i));
        if (event || never_returns(end)) kept.add(graph.run(i, b));
      }
    }
  }

  void rewrite(std::size_t i, const DependenceGraph& graph, const Cone& kept) {
    Procedure& p = module_.procedures[i];
    if (p.blocks.empty()) return;
    const std::size_t assumed = assumptions(p);
    const auto again = blocks_in_cycles(p);
    for (BlockId b = 0; b < p.blocks.size(); ++b) {
      Block& block = p.blocks[b];
      std::erase_if(block.statements, [&](const Statement& s) { return drops(s, i, kept); });
      Terminator& end = block.end;
      if (end.kind == TerminatorKind::Branch && !kept.contains(graph.choice(i, b))) {
        dropped_ = dropped_ || again[b];
        skip_to(p, block, graph.postdominators(i).next(b));
      } else if (end.kind == TerminatorKind::Call) {
        rewrite_call(block, i, kept, graph, kept.contains(graph.choice(i, b)));
      } else if (end.kind == TerminatorKind::Return && end.value && !is_root(p) &&
                 !kept.contains(graph.result(i))) {
        end.value = default_term(*module_.arena, *p.returns);
      }
    }
    tidy(p);
    dropped_ = dropped_ || assumptions(p) < assumed;
    drop_unused_locals(p);
  }

  static std::size_t assumptions(const Procedure& p) {
    std::size_t found = 0;
    for (const Block& block : p.blocks)
      found += static_cast<std::size_t>(
          std::ranges::count(block.statements, StatementKind::Assume, &Statement::kind));
    return found;
  }

  /// Assumptions stay where everything they speak of does.
  static bool drops(const Statement& s, std::size_t procedure, const Cone& kept) {
    if (s.kind != StatementKind::Assume) return !kept.has(procedure, s.target);
    return !is_false(s.value) && !kept.has_all(procedure, s.value);
  }

  /// Past what depends on a branch that does not count.
  void skip_to(const Procedure& p, Block& block, std::optional<BlockId> target) {
    if (target) return go_to(block, *target);
    block.end = {
        .kind = TerminatorKind::Return, .procedure = block.end.procedure, .where = block.end.where};
    if (p.returns) block.end.value = default_term(*module_.arena, *p.returns);
  }

  void rewrite_call(Block& block, std::size_t caller, const Cone& kept,
                    const DependenceGraph& graph, bool branches) {
    Terminator& end = block.end;
    const std::size_t to = index_.at(end.name);
    const bool result = end.result && kept.has(caller, end.result);
    if (!kept.contains(graph.effect(to)) && !result && !branches && ways_[to].returns) {
      dropped_ = dropped_ || ways_[to].stops;
      return go_to(block, end.next);
    }
    if (!result) end.result = nullptr;
    for (std::size_t a = 0; a < end.arguments.size(); ++a) {
      const Variable& parameter = module_.procedures[to].parameters[a];
      if (!kept.has(to, parameter.term))
        end.arguments[a] = default_term(*module_.arena, parameter.type);
    }
  }

  Module& module_;
  const RelevanceOptions& options_;
  CallGraph calls_;
  std::vector<bool> reached_;
  std::vector<Ways> ways_;
  std::unordered_map<std::string, std::size_t> index_;
  bool dropped_ = false;
};

std::vector<InlinedSize> inlined_sizes(const Module& module, const CallGraph& graph) {
  std::vector<InlinedSize> sizes(module.procedures.size());
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < module.procedures.size(); ++i)
    index.emplace(module.procedures[i].name, i);
  for (const auto& group : graph.bottom_up)
    for (const std::size_t i : group) {
      const Procedure& p = module.procedures[i];
      InlinedSize& size = sizes[i];
      size.blocks = p.blocks.size();
      size.loops = count_back_edges(p);
      for (const Block& block : p.blocks) {
        if (block.end.kind != TerminatorKind::Call) continue;
        const std::size_t callee = index.at(block.end.name);
        if (graph.recursive[callee]) continue;
        size.blocks += sizes[callee].blocks;
        size.loops += sizes[callee].loops;
      }
    }
  return sizes;
}

} // namespace

bool keep_relevant(Module& module, const RelevanceOptions& options) {
  return Relevance(module, options).run();
}

std::vector<std::string> summarise_intricate(Module& module, const RelevanceOptions& options,
                                             const SummaryLimits& limits) {
  std::vector<std::string> notes;
  drop_unreached(module);
  const auto exceeds = [&](const InlinedSize& size) {
    return size.blocks > limits.blocks || size.loops > limits.loops;
  };
  // What is small enough as it stands keeps every assumption.
  if (std::ranges::none_of(inlined_sizes(module, call_graph(module)), exceeds)) return notes;
  bool dropped = keep_relevant(module, options);
  while (true) {
    const CallGraph graph = call_graph(module);
    const auto sizes = inlined_sizes(module, graph);
    std::optional<std::size_t> worst;
    for (const auto& group : graph.bottom_up)
      for (const std::size_t i : group)
        if (module.procedures[i].kind == ProcedureKind::Internal && !worst && !graph.recursive[i] &&
            exceeds(sizes[i]))
          worst = i;
    if (!worst) break;
    Procedure& p = module.procedures[*worst];
    notes.push_back(p.shown_name() +
                    " is too large to be looked into: it is summarised by what it may "
                    "write and return");
    p = summary(module, p, effects(module)[*worst]);
    dropped = keep_relevant(module, options) || dropped;
  }
  if (dropped)
    notes.emplace_back("code that does not bear on the protocol comes to its end and keeps its own "
                       "checks");
  return notes;
}

} // namespace tacit
