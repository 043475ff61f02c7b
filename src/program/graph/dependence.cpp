#include "program/graph/dependence.h"

#include <algorithm>

#include "base/should.h"
#include "program/graph/uses.h"

namespace tacit {

DependenceGraph::DependenceGraph(const Module& module, DependencePolicy policy)
    : module_(module), policy_(std::move(policy)) {
  number();
  for (std::size_t p = 0; p < module.procedures.size(); ++p)
    if (!policy_.covers || policy_.covers(p)) connect(p);
}

void DependenceGraph::number() {
  Node next = 0;
  const auto declare = [&](std::unordered_map<Term, Node>& names, Term variable) {
    const auto [known, fresh] = names.emplace(variable, next);
    if (fresh) ++next;
    return known->second;
  };
  for (const StateVariable& v : module_.state) declare(state_, v.term);
  std::unordered_map<Term, Node> shared;
  for (std::size_t p = 0; p < module_.procedures.size(); ++p) {
    const Procedure& procedure = module_.procedures[p];
    index_.emplace(procedure.name, p);
    auto& names = locals_.emplace_back();
    for (const auto* list : {&procedure.parameters, &procedure.locals})
      for (const Variable& v : *list) {
        if (policy_.by_name)
          names.emplace(v.term, declare(shared, v.term));
        else
          declare(names, v.term);
      }
  }
  for (const Procedure& procedure : module_.procedures) {
    first_block_.push_back(next);
    next += static_cast<Node>(2 * procedure.blocks.size());
  }
  first_procedure_ = next;
  edges_.resize(next + 2 * module_.procedures.size());
  postdominators_.resize(module_.procedures.size());
}

std::optional<DependenceGraph::Node> DependenceGraph::state(Term variable) const {
  const auto found = state_.find(variable);
  return found == state_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<DependenceGraph::Node> DependenceGraph::variable(std::size_t procedure,
                                                               Term variable) const {
  if (const auto found = state(variable)) return found;
  const auto found = locals_[procedure].find(variable);
  return found == locals_[procedure].end() ? std::nullopt : std::optional(found->second);
}

DependenceGraph::Node DependenceGraph::known(std::size_t procedure, Term term) const {
  const auto found = variable(procedure, term);
  should(found.has_value(), "what a body mentions should be declared");
  return *found;
}

void DependenceGraph::edges_to(Node from, std::size_t procedure, Term read) {
  if (!read) return;
  for (const Term v : variables(read)) edge(from, known(procedure, v));
}

void DependenceGraph::connect(std::size_t procedure) {
  for (BlockId b = 0; b < module_.procedures[procedure].blocks.size(); ++b) {
    connect_statements(procedure, b);
    connect_end(procedure, b);
  }
  if (policy_.control != Control::None) connect_control(procedure);
  if (policy_.choices) bind_choices(procedure);
}

void DependenceGraph::connect_statements(std::size_t procedure, BlockId block) {
  for (const Statement& s : module_.procedures[procedure].blocks[block].statements) {
    if (s.kind == StatementKind::Assume) {
      if (policy_.control == Control::Behind) edges_to(run(procedure, block), procedure, s.value);
      continue;
    }
    const Node target = known(procedure, s.target);
    if (s.kind == StatementKind::Assign)
      for (const Term v : variables(s.value))
        if (!policy_.flows || policy_.flows(s, v)) edge(target, known(procedure, v));
    if (policy_.control != Control::None) edge(target, run(procedure, block));
    if (policy_.calls && state_.contains(s.target)) edge(target, effect(procedure));
  }
}

void DependenceGraph::connect_end(std::size_t procedure, BlockId block) {
  const Terminator& end = module_.procedures[procedure].blocks[block].end;
  switch (end.kind) {
  case TerminatorKind::Branch: edges_to(choice(procedure, block), procedure, end.value); break;
  case TerminatorKind::Return:
  case TerminatorKind::Throw:
    if (!policy_.calls || !end.value) break;
    edges_to(run(procedure, block), procedure, end.value);
    if (end.kind == TerminatorKind::Return) edge(result(procedure), run(procedure, block));
    break;
  case TerminatorKind::Call:
    if (policy_.calls) connect_call(procedure, block);
    break;
  default: break;
  }
}

/// An argument counts where the parameter does and the call itself.
void DependenceGraph::connect_call(std::size_t procedure, BlockId block) {
  const Terminator& end = module_.procedures[procedure].blocks[block].end;
  const std::size_t callee = index_.at(end.name);
  const Node call = run(procedure, block);
  edge(effect(callee), call);
  edge(effect(callee), effect(procedure));
  if (end.result) {
    edge(known(procedure, end.result), call);
    edge(known(procedure, end.result), result(callee));
  }
  for (std::size_t a = 0; a < end.arguments.size(); ++a) {
    const Node parameter = known(callee, module_.procedures[callee].parameters[a].term);
    for (const Term v : variables(end.arguments[a])) {
      const Node read = known(procedure, v);
      edges_[parameter].push_back({read, call});
      edges_[call].push_back({read, parameter});
    }
  }
}

void DependenceGraph::connect_control(std::size_t procedure) {
  std::vector<std::vector<BlockId>> next;
  for (const Block& block : module_.procedures[procedure].blocks)
    next.push_back(policy_.successors ? policy_.successors(block) : successors(block.end));
  for (BlockId b = 0; b < next.size(); ++b) edge(choice(procedure, b), run(procedure, b));
  if (policy_.control == Control::Behind) {
    for (BlockId b = 0; b < next.size(); ++b)
      for (const BlockId to : next[b]) edge(run(procedure, to), choice(procedure, b));
    return;
  }
  postdominators_[procedure] = Postdominators(std::move(next));
  const auto depends = postdominators_[procedure].control_dependence();
  for (BlockId b = 0; b < depends.size(); ++b)
    for (const BlockId on : depends[b]) edge(run(procedure, b), choice(procedure, on));
}

void DependenceGraph::bind_choices(std::size_t procedure) {
  const Procedure& p = module_.procedures[procedure];
  VariableSet chosen;
  for (const Block& block : p.blocks) {
    for (const Statement& s : block.statements)
      if (s.kind == StatementKind::Havoc || s.kind == StatementKind::New) chosen.insert(s.target);
    if (block.end.result) chosen.insert(block.end.result);
  }
  for (const Block& block : p.blocks)
    for (const Statement& s : block.statements) {
      if (s.kind != StatementKind::Assume) continue;
      for (const Term v : variables(s.value))
        if (chosen.contains(v)) edges_to(known(procedure, v), procedure, s.value);
    }
}

void Cone::add(DependenceGraph::Node sink) {
  if (reached_[sink]) return;
  reached_[sink] = true;
  std::vector<DependenceGraph::Node> work{sink};
  while (!work.empty()) {
    const auto node = work.back();
    work.pop_back();
    for (const auto& [to, when] : graph_.edges(node)) {
      if (reached_[to] || !reached_[when]) continue;
      reached_[to] = true;
      work.push_back(to);
    }
  }
}

void Cone::add(std::size_t procedure, Term term) {
  if (!term) return;
  for (const Term v : variables(term))
    if (const auto node = graph_.variable(procedure, v)) add(*node);
}

void Cone::add_state(Term term) {
  for (const Term v : variables(term))
    if (const auto node = graph_.state(v)) add(*node);
}

bool Cone::has_state(Term variable) const {
  const auto node = graph_.state(variable);
  return node && reached_[*node];
}

bool Cone::has(std::size_t procedure, Term variable) const {
  const auto node = graph_.variable(procedure, variable);
  return node && reached_[*node];
}

bool Cone::has_all(std::size_t procedure, Term term) const {
  return std::ranges::all_of(variables(term), [&](Term v) { return has(procedure, v); });
}

} // namespace tacit
