#include "program/reduce/unfold.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "program/graph/call_graph.h"

namespace tacit {
namespace {

class Unfolding {
public:
  Unfolding(Module& module, const UnfoldLimits& limits)
      : module_(module), limits_(limits), graph_(call_graph(module)) {
    for (const Procedure& p : module.procedures) names_.insert(p.name);
  }

  void run() {
    const std::size_t before = module_.procedures.size();
    for (const auto& component : graph_.bottom_up)
      if (graph_.recursive[component.front()]) unfold(component);
    for (std::size_t i = 0; i < before; ++i) redirect(module_.procedures[i], first_level(i));
  }

private:
  using Names = std::map<std::string, std::string>; // of procedures -> of their copies

  void unfold(const std::vector<std::size_t>& cycle) {
    const std::size_t levels = affordable(cycle);
    Names next; // behind the last level: themselves
    for (std::size_t level = levels; level > 0; --level) {
      Names here;
      for (const std::size_t member : cycle)
        here[module_.procedures[member].name] = fresh(module_.procedures[member].name, level);
      for (const std::size_t member : cycle) {
        Procedure copy = module_.procedures[member];
        for (Block& block : copy.blocks)
          if (block.end.procedure.empty()) block.end.procedure = copy.name;
        if (copy.shown.empty()) copy.shown = copy.name;
        copy.name = here.at(copy.name);
        copy.kind = ProcedureKind::Internal;
        redirect(copy, next);
        module_.procedures.push_back(std::move(copy));
      }
      next = std::move(here);
    }
    for (const std::size_t member : cycle) cycle_of_[member] = firsts_.size();
    firsts_.push_back(std::move(next));
  }

  /// How many levels stay within the limit.
  std::size_t affordable(const std::vector<std::size_t>& cycle) const {
    std::size_t blocks = 0, most_calls = 0;
    for (const std::size_t member : cycle) {
      const Procedure& p = module_.procedures[member];
      if (p.kind == ProcedureKind::Extern || p.kind == ProcedureKind::Constructor) return 0;
      std::size_t calls = 0;
      for (const Block& block : p.blocks)
        if (block.end.kind == TerminatorKind::Call) calls += is_member(block.end.name, cycle);
      blocks += p.blocks.size();
      most_calls = std::max(most_calls, calls);
    }
    std::size_t levels = 0;
    for (std::size_t copies = 1, all = 0; levels < limits_.levels; ++levels, copies *= most_calls) {
      all += copies * blocks;
      if (all > limits_.blocks) break;
    }
    return levels;
  }

  bool is_member(const std::string& name, const std::vector<std::size_t>& cycle) const {
    return std::ranges::any_of(
        cycle, [&](std::size_t member) { return module_.procedures[member].name == name; });
  }

  /// What the calls in a procedure should lead to: those from outside a cycle and from the methods
  /// in it to the first level, those between its other members to themselves.
  Names first_level(std::size_t caller) const {
    Names all;
    const auto own = cycle_of_.find(caller);
    for (std::size_t c = 0; c < firsts_.size(); ++c)
      if (own == cycle_of_.end() || own->second != c || is_root(module_.procedures[caller]))
        all.insert(firsts_[c].begin(), firsts_[c].end());
    return all;
  }

  static void redirect(Procedure& procedure, const Names& names) {
    for (Block& block : procedure.blocks)
      if (block.end.kind == TerminatorKind::Call)
        if (const auto to = names.find(block.end.name); to != names.end())
          block.end.name = to->second;
  }

  std::string fresh(const std::string& name, std::size_t level) {
    std::string made = fmt::format("{}.level{}", name, level);
    while (!names_.insert(made).second) made += "_";
    return made;
  }

  Module& module_;
  const UnfoldLimits limits_;
  const CallGraph graph_;
  std::set<std::string> names_;
  std::vector<Names> firsts_; // by cycle: the copies of the first level
  std::map<std::size_t, std::size_t> cycle_of_;
};

} // namespace

void unfold_recursion(Module& module, const UnfoldLimits& limits) {
  Unfolding(module, limits).run();
}

} // namespace tacit
