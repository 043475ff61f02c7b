// Tarjan's strongly connected components (1972), with an explicit stack: call chains of lowered
// libraries are deep.
#include "program/graph/call_graph.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/should.h"

namespace tacit {

namespace {

std::vector<std::vector<std::size_t>> callees_of(const Module& module) {
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < module.procedures.size(); ++i)
    index.emplace(module.procedures[i].name, i);
  std::vector<std::vector<std::size_t>> callees(module.procedures.size());
  for (std::size_t i = 0; i < module.procedures.size(); ++i) {
    for (const Block& block : module.procedures[i].blocks) {
      if (block.end.kind != TerminatorKind::Call) continue;
      const auto callee = index.find(block.end.name);
      should(callee != index.end(), "a call should name a procedure of the module");
      if (std::ranges::find(callees[i], callee->second) == callees[i].end())
        callees[i].push_back(callee->second);
    }
  }
  return callees;
}

class Components {
public:
  explicit Components(const std::vector<std::vector<std::size_t>>& next)
      : next_(next), number_(next.size(), unseen), low_(next.size()), open_(next.size(), false) {}

  std::vector<std::vector<std::size_t>> find() {
    for (std::size_t root = 0; root < next_.size(); ++root)
      if (number_[root] == unseen) visit(root);
    return std::move(found_);
  }

private:
  static constexpr std::size_t unseen = static_cast<std::size_t>(-1);

  struct Step {
    std::size_t node;
    std::size_t edge = 0;
  };

  void enter(std::size_t node) {
    number_[node] = low_[node] = counter_++;
    pending_.push_back(node);
    open_[node] = true;
    steps_.push_back({node});
  }

  void visit(std::size_t root) {
    enter(root);
    while (!steps_.empty()) {
      const std::size_t node = steps_.back().node;
      if (steps_.back().edge < next_[node].size()) {
        const std::size_t to = next_[node][steps_.back().edge++];
        if (number_[to] == unseen)
          enter(to);
        else if (open_[to])
          low_[node] = std::min(low_[node], number_[to]);
        continue;
      }
      steps_.pop_back();
      if (!steps_.empty())
        low_[steps_.back().node] = std::min(low_[steps_.back().node], low_[node]);
      if (low_[node] == number_[node]) close(node);
    }
  }

  void close(std::size_t root) {
    std::vector<std::size_t> component;
    for (std::size_t node = unseen; node != root;) {
      node = pending_.back();
      pending_.pop_back();
      open_[node] = false;
      component.push_back(node);
    }
    std::ranges::sort(component);
    found_.push_back(std::move(component));
  }

  const std::vector<std::vector<std::size_t>>& next_;
  std::vector<std::size_t> number_, low_;
  std::vector<bool> open_;
  std::vector<std::size_t> pending_;
  std::vector<Step> steps_;
  std::size_t counter_ = 0;
  std::vector<std::vector<std::size_t>> found_;
};

/// Which nodes lie on a cycle.
std::vector<bool> on_cycles(const std::vector<std::vector<std::size_t>>& next,
                            const std::vector<std::vector<std::size_t>>& components) {
  std::vector<bool> found(next.size(), false);
  for (const auto& component : components)
    for (const std::size_t node : component)
      found[node] = component.size() > 1 || std::ranges::find(next[node], node) != next[node].end();
  return found;
}

} // namespace

CallGraph call_graph(const Module& module) {
  CallGraph graph;
  graph.callees = callees_of(module);
  graph.bottom_up = Components(graph.callees).find();
  graph.recursive = on_cycles(graph.callees, graph.bottom_up);
  return graph;
}

std::vector<bool> blocks_in_cycles(const Procedure& procedure) {
  std::vector<std::vector<std::size_t>> next;
  for (const Block& block : procedure.blocks) {
    const auto to = successors(block.end);
    next.emplace_back(to.begin(), to.end());
  }
  return on_cycles(next, Components(next).find());
}

bool is_root(const Procedure& procedure) {
  return procedure.kind == ProcedureKind::Method || procedure.kind == ProcedureKind::Constructor;
}

std::vector<bool> reached(const Module& module, const CallGraph& graph) {
  std::vector<bool> found(module.procedures.size(), false);
  std::vector<std::size_t> work;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (is_root(module.procedures[i])) work.push_back(i);
  while (!work.empty()) {
    const std::size_t i = work.back();
    work.pop_back();
    if (found[i]) continue;
    found[i] = true;
    work.insert(work.end(), graph.callees[i].begin(), graph.callees[i].end());
  }
  return found;
}

void drop_unreached(Module& module) {
  const std::vector<bool> kept = reached(module, call_graph(module));
  std::vector<Procedure> left;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i]) left.push_back(std::move(module.procedures[i]));
  module.procedures = std::move(left);
}

} // namespace tacit
