#include "abstraction/body_formula.h"

#include <algorithm>

#include "base/should.h"
#include "program/defaults.h"

namespace tacit {
namespace {

/// Values of variables on the way into a block, and the condition of getting there.
struct Store {
  Term path = nullptr; // null: not reached
  Substitution values;
};

class BodyExecutor {
public:
  BodyExecutor(const Component& component, const Procedure& procedure, std::string prefix)
      : module_(component.module()), arena_(component.arena()), procedure_(procedure),
        prefix_(std::move(prefix)) {}

  Result<BodyFormula> run() {
    auto order = topological();
    if (!order) return std::unexpected(order.error());
    std::vector<Store> stores(procedure_.blocks.size());
    stores[0] = initial();
    for (BlockId b : *order) {
      if (!stores[b].path || is_false(stores[b].path)) continue;
      Store store = std::move(stores[b]);
      const auto& statements = procedure_.blocks[b].statements;
      for (std::size_t i = 0; i < statements.size(); ++i) {
        const std::size_t inputs = body_.inputs.size();
        execute(statements[i], store);
        if (body_.inputs.size() == inputs) continue;
        body_.inputs.back().block = b;
        body_.inputs.back().statement = i;
      }
      const Terminator& end = procedure_.blocks[b].end;
      switch (end.kind) {
      case TerminatorKind::Goto: join(stores[end.next], store, arena_.truth()); break;
      case TerminatorKind::Branch: {
        Term condition = substitute(arena_, end.value, store.values);
        join(stores[end.next], store, condition);
        join(stores[end.other], store, arena_.negate(condition));
        break;
      }
      default: leave(end, store);
      }
    }
    return std::move(body_);
  }

private:
  Result<std::vector<BlockId>> topological() {
    enum class Mark : char { White, Grey, Black };
    std::vector<Mark> marks(procedure_.blocks.size(), Mark::White);
    std::vector<BlockId> order;
    std::vector<std::pair<BlockId, std::size_t>> stack{{0, 0}};
    marks[0] = Mark::Grey;
    while (!stack.empty()) {
      auto& [b, i] = stack.back();
      const auto next = successors(procedure_.blocks[b].end);
      if (i < next.size()) {
        const BlockId s = next[i++];
        if (marks[s] == Mark::Grey)
          return fail(procedure_.where, "'{}' has a loop", procedure_.name);
        if (marks[s] == Mark::White) {
          marks[s] = Mark::Grey;
          stack.push_back({s, 0});
        }
      } else {
        marks[b] = Mark::Black;
        order.push_back(b);
        stack.pop_back();
      }
    }
    std::ranges::reverse(order);
    return order;
  }

  Store initial() {
    Store store{arena_.truth(), {}};
    for (std::size_t i = 0; i < procedure_.parameters.size(); ++i) {
      const Variable& p = procedure_.parameters[i];
      choose(store, p.term, p.type, Chooser::Client);
      body_.inputs.back().parameter = i;
    }
    for (const Variable& v : procedure_.locals) store.values[v.term] = default_term(arena_, v.type);
    return store;
  }

  const Type& type_of(Term variable) const {
    if (const Variable* v = procedure_.find_local(variable->name); v && v->term == variable)
      return v->type;
    return module_.state[*module_.state_index(variable)].type;
  }

  void choose(Store& store, Term target, const Type& type, Chooser chooser) {
    std::string name = prefix_ + "!" + target->name;
    if (body_.inputs.size() > 0) name += "!" + std::to_string(body_.inputs.size());
    Term input = arena_.var(name, type.sort);
    body_.inputs.push_back({.variable = input, .chooser = chooser, .type = type});
    store.values[target] = input;
    store.path = arena_.conj(store.path, range_fact(arena_, type, input));
  }

  void execute(const Statement& s, Store& store) {
    switch (s.kind) {
    case StatementKind::Assume:
      store.path = arena_.conj(store.path, substitute(arena_, s.value, store.values));
      break;
    case StatementKind::Assign: {
      Term value = substitute(arena_, s.value, store.values);
      store.path = arena_.conj(store.path, range_fact(arena_, type_of(s.target), value));
      store.values[s.target] = value;
      break;
    }
    case StatementKind::Havoc: choose(store, s.target, type_of(s.target), s.chooser); break;
    case StatementKind::New:
      // A fresh address is some address that is not null; that it differs from all others is not
      // said, which only adds behaviour.
      choose(store, s.target, type_of(s.target), Chooser::Unknown);
      store.path = arena_.conj(store.path, arena_.ne(store.values[s.target], arena_.null()));
      body_.exact = false;
      break;
    }
  }

  Term value_in(const Store& store, Term variable) const {
    auto found = store.values.find(variable);
    return found == store.values.end() ? variable : found->second;
  }

  void join(Store& into, const Store& from, Term condition) {
    Term path = arena_.conj(from.path, condition);
    if (is_false(path)) return;
    if (!into.path) {
      into.path = path;
      into.values = from.values;
      return;
    }
    // Every variable that either side has assigned takes its value by which way was taken.
    std::vector<Term> assigned;
    for (const Substitution* values : {&std::as_const(into.values), &from.values})
      for (const auto& [variable, value] : *values) assigned.push_back(variable);
    std::ranges::sort(assigned, TermById());
    const auto repeated = std::ranges::unique(assigned);
    assigned.erase(repeated.begin(), repeated.end());
    for (Term v : assigned) {
      Term mine = value_in(into, v), theirs = value_in(from, v);
      if (mine != theirs) into.values[v] = arena_.ite(path, theirs, mine);
    }
    into.path = arena_.disj(into.path, path);
  }

  void leave(const Terminator& end, const Store& store) {
    FormulaExit exit{.error = end.kind == TerminatorKind::Error,
                     .rejecting = end.rejecting,
                     .outcome = end.outcome < 0 ? 0 : static_cast<std::size_t>(end.outcome),
                     .end = &end,
                     .guard = store.path,
                     .after = {}};
    for (const StateVariable& v : module_.state)
      if (Term value = value_in(store, v.term); value != v.term) exit.after[v.term] = value;
    body_.exits.push_back(std::move(exit));
  }

  const Module& module_;
  TermArena& arena_;
  const Procedure& procedure_;
  std::string prefix_;
  BodyFormula body_;
};

} // namespace

Result<BodyFormula> body_formula(const Component& component, const Procedure& procedure,
                                 const std::string& prefix) {
  return BodyExecutor(component, procedure, prefix).run();
}

StepFormula combined_step(TermArena& arena, const BodyFormula& body,
                          const std::function<bool(const FormulaExit&)>& wanted) {
  StepFormula step{arena.falsehood(), {}};
  std::vector<const FormulaExit*> exits;
  std::vector<Term> changed, guards;
  for (const FormulaExit& e : body.exits)
    if (!e.error && wanted(e)) {
      exits.push_back(&e);
      guards.push_back(e.guard);
      for (const auto& [variable, value] : e.after) changed.push_back(variable);
    }
  if (exits.empty()) return step;
  std::ranges::sort(changed, TermById());
  const auto repeated = std::ranges::unique(changed);
  changed.erase(repeated.begin(), repeated.end());
  step.guard = arena.disj(std::move(guards));
  auto value_in = [](const FormulaExit& e, Term variable) {
    auto found = e.after.find(variable);
    return found == e.after.end() ? variable : found->second;
  };
  for (Term v : changed) {
    Term value = value_in(*exits.back(), v);
    for (std::size_t i = exits.size() - 1; i-- > 0;)
      value = arena.ite(exits[i]->guard, value_in(*exits[i], v), value);
    step.after[v] = value;
  }
  return step;
}

StepFormula outcome_step(TermArena& arena, const BodyFormula& body, std::size_t outcome) {
  return combined_step(arena, body, [&](const FormulaExit& e) { return e.outcome == outcome; });
}

Term error_guard(TermArena& arena, const BodyFormula& body) {
  std::vector<Term> guards;
  for (const FormulaExit& e : body.exits)
    if (e.error) guards.push_back(e.guard);
  return arena.disj(std::move(guards));
}

Term state_facts(const Component& component) {
  std::vector<Term> facts;
  for (const StateVariable& v : component.module().state)
    facts.push_back(range_fact(component.arena(), v.type, v.term));
  return component.arena().conj(std::move(facts));
}

} // namespace tacit
