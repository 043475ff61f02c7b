#include "program/reduce/relevance.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "program/graph/call_graph.h"
#include "program/graph/effects.h"
#include "program/graph/postdominators.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

using VariableSet = std::unordered_set<Term>;

bool blocks_runs(const Block& block) {
  return std::ranges::any_of(block.statements, [](const Statement& s) {
    return s.kind == StatementKind::Assume && is_false(s.value);
  });
}

class Relevance {
public:
  Relevance(Module& module, const RelevanceOptions& options)
      : module_(module), options_(options), graph_(call_graph(module)) {
    for (std::size_t i = 0; i < module.procedures.size(); ++i)
      index_.emplace(module.procedures[i].name, i);
    for (const StateVariable& v : module.state) {
      state_.insert(v.term);
      if (options.state.contains(v.name())) relevant_state_.insert(v.term);
    }
    reach();
  }

  bool run() {
    find_stops();
    find_ends();
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (flows_[i].reached) cut_dead_ends(i);
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (flows_[i].reached) prepare(i);
    for (const Term t : module_.invariants) add_all(t, nullptr);
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (std::size_t i = 0; i < flows_.size(); ++i)
        if (flows_[i].reached) grow(i);
    }
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (flows_[i].reached) rewrite(i);
    return dropped_;
  }

private:
  struct Flow {
    bool reached = false;
    bool ends = false; // some path leaves it: by return, throw or an error that counts
    bool returns = false;
    bool event = false;  // a call of it matters
    bool result = false; // its returned value matters
    bool stops = false;  // it may not come to its end: it assumes something, or loops
    VariableSet locals;  // that matter, parameters too
    VariableSet chosen;  // locals and state that are chosen, not computed
    Postdominators after;
    std::vector<std::vector<BlockId>> depends; // on these branches
    std::vector<bool> matters;                 // branches whose condition counts
  };

  void reach() {
    flows_.resize(module_.procedures.size());
    std::vector<std::size_t> work;
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (is_root(module_.procedures[i])) work.push_back(i);
    for (const std::size_t i : work) flows_[i].reached = true;
    while (!work.empty()) {
      const std::size_t i = work.back();
      work.pop_back();
      for (const std::size_t callee : graph_.callees[i])
        if (!flows_[callee].reached) {
          flows_[callee].reached = true;
          work.push_back(callee);
        }
    }
  }

  const Flow& callee(const Terminator& call) const { return flows_[index_.at(call.name)]; }

  bool leaves(const Terminator& end) const {
    return end.kind == TerminatorKind::Return || end.kind == TerminatorKind::Throw ||
           (end.kind == TerminatorKind::Error && options_.errors);
  }

  /// Where a run can go on to: a callee that never returns leads nowhere.
  std::vector<BlockId> next(const Block& block) const {
    if (blocks_runs(block)) return {};
    if (block.end.kind != TerminatorKind::Call) return successors(block.end);
    std::vector<BlockId> all;
    const Flow& called = callee(block.end);
    if (called.returns) all.push_back(block.end.next);
    if (called.ends)
      for (const Handler& h : block.end.handlers) all.push_back(h.target);
    return all;
  }

  void find_stops() {
    for (const auto& group : graph_.bottom_up)
      for (const std::size_t i : group) {
        const Procedure& p = module_.procedures[i];
        flows_[i].stops = graph_.recursive[i] || assumptions(p) > 0 || count_back_edges(p) > 0 ||
                          std::ranges::any_of(graph_.callees[i], [&](std::size_t callee) {
                            return flows_[callee].stops;
                          });
      }
  }

  /// Whether anything ever leaves a procedure, to a fixpoint over the calls.
  void find_ends() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < flows_.size(); ++i) {
        Flow& flow = flows_[i];
        if (!flow.reached || (flow.ends && flow.returns)) continue;
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
          if (!blocks_runs(block)) {
            ends = ends || leaves(block.end);
            returns = returns || block.end.kind == TerminatorKind::Return;
            // What a callee throws or where it errs leaves the caller as well.
            if (block.end.kind == TerminatorKind::Call && callee(block.end).ends &&
                !callee(block.end).returns)
              ends = true;
          }
          for (const BlockId to : next(block)) work.push_back(to);
        }
        if (ends == flow.ends && returns == flow.returns) continue;
        flow.ends = ends;
        flow.returns = returns;
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
        const bool here = !blocks_runs(block) &&
                          (leaves(block.end) ||
                           (block.end.kind == TerminatorKind::Call && callee(block.end).ends));
        if (!here && std::ranges::none_of(next(block), [&](BlockId to) { return alive[to]; }))
          continue;
        alive[b] = more = true;
      }
    }
    for (Block& block : p.blocks) {
      Terminator& end = block.end;
      if (end.kind != TerminatorKind::Branch || alive[end.next] == alive[end.other]) continue;
      const bool yes = alive[end.next];
      block.statements.push_back({.kind = StatementKind::Assume,
                                  .value = yes ? end.value : module_.arena->negate(end.value),
                                  .where = end.where});
      end = {.kind = TerminatorKind::Goto,
             .next = yes ? end.next : end.other,
             .procedure = end.procedure,
             .where = end.where};
    }
    tidy(p);
  }

  void prepare(std::size_t i) {
    const Procedure& p = module_.procedures[i];
    Flow& flow = flows_[i];
    std::vector<std::vector<BlockId>> graph;
    for (const Block& block : p.blocks) graph.push_back(next(block));
    flow.after = Postdominators(graph);
    flow.depends = flow.after.control_dependence();
    flow.matters.assign(p.blocks.size(), false);
    for (const Block& block : p.blocks) {
      for (const Statement& s : block.statements)
        if (s.kind == StatementKind::Havoc || s.kind == StatementKind::New)
          flow.chosen.insert(s.target);
      if (block.end.kind == TerminatorKind::Call && block.end.result)
        flow.chosen.insert(block.end.result);
    }
    if (is_root(p)) flow.result = options_.returned;
    for (const Term t : p.preconditions) add_all(t, &flow);
  }

  bool known(Term variable, const Flow& flow) const {
    return state_.contains(variable) ? relevant_state_.contains(variable)
                                     : flow.locals.contains(variable);
  }

  void add_all(Term term, Flow* flow) {
    if (!term) return;
    for (const Term v : variables(term)) {
      const bool fresh = state_.contains(v) ? relevant_state_.insert(v).second
                                            : flow && flow->locals.insert(v).second;
      changed_ = changed_ || fresh;
    }
  }

  bool counts(const Statement& s, const Flow& flow) const {
    return s.kind != StatementKind::Assume && known(s.target, flow);
  }

  bool call_counts(const Terminator& end, const Flow& flow) const {
    const Flow& called = callee(end);
    return called.event || (end.result && known(end.result, flow)) ||
           (!called.returns && called.ends);
  }

  bool is_event(const Block& block, const Flow& flow) const {
    if (std::ranges::any_of(block.statements, [&](const Statement& s) { return counts(s, flow); }))
      return true;
    switch (block.end.kind) {
    case TerminatorKind::Return: return block.end.value && flow.result;
    case TerminatorKind::Throw: return true;
    case TerminatorKind::Error: return options_.errors;
    case TerminatorKind::Call: return call_counts(block.end, flow);
    default: return false;
    }
  }

  /// Says something about a choice that counts: then what it is compared with counts, too.
  bool binds(const Statement& s, const Flow& flow) const {
    if (s.kind != StatementKind::Assume) return false;
    return std::ranges::any_of(variables(s.value),
                               [&](Term v) { return flow.chosen.contains(v) && known(v, flow); });
  }

  void grow(std::size_t i) {
    const Procedure& p = module_.procedures[i];
    Flow& flow = flows_[i];
    for (BlockId b = 0; b < p.blocks.size(); ++b) {
      const Block& block = p.blocks[b];
      for (const Statement& s : block.statements)
        if (counts(s, flow) || binds(s, flow)) add_all(s.value, &flow);
      if (!is_event(block, flow)) continue;
      mark_branches(p, flow, b);
      const Terminator& end = block.end;
      const bool own = std::ranges::any_of(block.statements, [&](const Statement& s) {
        return counts(s, flow) && state_.contains(s.target);
      });
      const bool outside = own || end.kind == TerminatorKind::Throw ||
                           end.kind == TerminatorKind::Error ||
                           (end.kind == TerminatorKind::Call && callee(end).event);
      if (outside && !flow.event) flow.event = changed_ = true;
      if (end.kind == TerminatorKind::Return || end.kind == TerminatorKind::Throw)
        add_all(end.value, &flow);
      if (end.kind == TerminatorKind::Call) pass_on(end, flow);
    }
  }

  void mark_branches(const Procedure& p, Flow& flow, BlockId event) {
    std::vector<BlockId> work{event};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      for (const BlockId at : flow.depends[b]) {
        if (flow.matters[at]) continue;
        flow.matters[at] = changed_ = true;
        if (p.blocks[at].end.kind == TerminatorKind::Branch) add_all(p.blocks[at].end.value, &flow);
        if (p.blocks[at].end.kind == TerminatorKind::Call) pass_on(p.blocks[at].end, flow);
        work.push_back(at);
      }
    }
  }

  /// Arguments count where the parameters do, and the other way round for the result.
  void pass_on(const Terminator& end, Flow& flow) {
    const std::size_t to = index_.at(end.name);
    const Procedure& called = module_.procedures[to];
    for (std::size_t a = 0; a < end.arguments.size(); ++a)
      if (flows_[to].locals.contains(called.parameters[a].term)) add_all(end.arguments[a], &flow);
    if (end.result && known(end.result, flow) && !flows_[to].result)
      flows_[to].result = changed_ = true;
  }

  void rewrite(std::size_t i) {
    Procedure& p = module_.procedures[i];
    const Flow& flow = flows_[i];
    if (p.blocks.empty()) return;
    const std::size_t assumed = assumptions(p);
    const auto again = blocks_in_cycles(p);
    for (BlockId b = 0; b < p.blocks.size(); ++b) {
      Block& block = p.blocks[b];
      std::erase_if(block.statements, [&](const Statement& s) { return drops(s, flow); });
      Terminator& end = block.end;
      if (end.kind == TerminatorKind::Branch && !flow.matters[b]) {
        dropped_ = dropped_ || again[b];
        skip_to(p, block, flow.after.next(b));
      } else if (end.kind == TerminatorKind::Call) {
        rewrite_call(block, flow, flow.matters[b]);
      } else if (end.kind == TerminatorKind::Return && end.value && !flow.result && !is_root(p)) {
        end.value = default_term(*module_.arena, *p.returns);
      }
    }
    tidy(p);
    dropped_ = dropped_ || assumptions(p) < assumed;
    VariableSet used;
    const auto use = [&](Term t) {
      if (t)
        for (const Term v : variables(t)) used.insert(v);
    };
    for (const Block& block : p.blocks) {
      for (const Statement& s : block.statements) {
        use(s.target);
        use(s.value);
      }
      use(block.end.value);
      use(block.end.result);
      for (const Term t : block.end.arguments) use(t);
      for (const Handler& h : block.end.handlers) use(h.binder);
    }
    std::erase_if(p.locals, [&](const Variable& v) { return !used.contains(v.term); });
  }

  static std::size_t assumptions(const Procedure& p) {
    std::size_t found = 0;
    for (const Block& block : p.blocks)
      found += static_cast<std::size_t>(
          std::ranges::count(block.statements, StatementKind::Assume, &Statement::kind));
    return found;
  }

  /// Assumptions stay where everything they speak of does.
  bool drops(const Statement& s, const Flow& flow) const {
    if (s.kind != StatementKind::Assume) return !counts(s, flow);
    if (is_false(s.value)) return false;
    const bool whole =
        std::ranges::all_of(variables(s.value), [&](Term v) { return known(v, flow); });
    return !whole;
  }

  /// Past what depends on a branch that does not count.
  void skip_to(const Procedure& p, Block& block, std::optional<BlockId> target) {
    const Terminator old = block.end;
    if (target) {
      block.end = {.kind = TerminatorKind::Goto,
                   .next = *target,
                   .procedure = old.procedure,
                   .where = old.where};
      return;
    }
    block.end = {.kind = TerminatorKind::Return, .procedure = old.procedure, .where = old.where};
    if (p.returns) block.end.value = default_term(*module_.arena, *p.returns);
  }

  void rewrite_call(Block& block, const Flow& flow, bool branches) {
    Terminator& end = block.end;
    const std::size_t to = index_.at(end.name);
    const Flow& called = flows_[to];
    if (!call_counts(end, flow) && !branches && called.returns) {
      dropped_ = dropped_ || called.stops;
      end = {.kind = TerminatorKind::Goto,
             .next = end.next,
             .procedure = end.procedure,
             .where = end.where};
      return;
    }
    if (end.result && !known(end.result, flow)) end.result = nullptr;
    for (std::size_t a = 0; a < end.arguments.size(); ++a) {
      const Variable& parameter = module_.procedures[to].parameters[a];
      if (!called.locals.contains(parameter.term))
        end.arguments[a] = default_term(*module_.arena, parameter.type);
    }
  }

  Module& module_;
  const RelevanceOptions& options_;
  CallGraph graph_;
  std::unordered_map<std::string, std::size_t> index_;
  VariableSet state_, relevant_state_;
  std::vector<Flow> flows_;
  bool changed_ = false, dropped_ = false;
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

void drop_unreached(Module& module) {
  const CallGraph graph = call_graph(module);
  std::set<std::string> reached;
  std::vector<std::size_t> work;
  for (std::size_t i = 0; i < module.procedures.size(); ++i)
    if (is_root(module.procedures[i])) work.push_back(i);
  while (!work.empty()) {
    const std::size_t i = work.back();
    work.pop_back();
    if (!reached.insert(module.procedures[i].name).second) continue;
    for (const std::size_t callee : graph.callees[i]) work.push_back(callee);
  }
  std::erase_if(module.procedures, [&](const Procedure& p) { return !reached.contains(p.name); });
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
