#include "abstraction/formula/body_formula.h"

#include <algorithm>

#include "base/should.h"
#include "program/graph/postdominators.h"
#include "program/ir/defaults.h"

namespace tacit {
namespace {

constexpr std::size_t most_copies = 4000;
constexpr std::size_t most_joined = 40'000'000; // parts of conditions and values, over all joins
constexpr std::uint64_t most_listed_keys = 32;

std::vector<Term> parts_of(Term condition) {
  if (condition->op == Op::And) return condition->args;
  if (is_true(condition)) return {};
  return {condition};
}

using Store = FormulaPlace; // on the way into a block; no path: not reached

class BodyExecutor {
public:
  BodyExecutor(const Component& component, const Procedure& procedure, std::string prefix,
               LoopRounds rounds)
      : module_(component.module()), arena_(component.arena()), procedure_(procedure),
        prefix_(std::move(prefix)), rounds_(rounds) {}

  Result<BodyFormula> run() {
    auto unrolled = unroll(procedure_, [&](BlockId) { return rounds_.value_or(0); }, most_copies);
    if (!unrolled) return std::unexpected(unrolled.error());
    const auto graph = std::make_shared<const Unrolled>(std::move(*unrolled));
    body_.graph = graph;
    body_.beyond = arena_.falsehood();
    std::vector<Store> stores(graph->copies.size());
    stores[0] = initial();
    for (std::size_t c = 0; c < graph->copies.size(); ++c) {
      if (!stores[c].path || is_false(stores[c].path)) continue;
      if (joined_ > most_joined)
        return fail(procedure_.where, "'{}' is too large for a formula", procedure_.name);
      const BlockCopy& copy = graph->copies[c];
      Store store = std::move(stores[c]);
      if (auto loop = graph->loops.find(copy.block); loop != graph->loops.end() && !rounds_)
        cut(loop->second, copy.block, store);
      const Block& block = procedure_.blocks[copy.block];
      for (std::size_t i = 0; i < block.statements.size(); ++i) {
        const std::size_t inputs = body_.inputs.size();
        if (auto done = execute(block.statements[i], store); !done)
          return std::unexpected(done.error());
        if (body_.inputs.size() == inputs) continue;
        body_.inputs.back().copy = c;
        body_.inputs.back().statement = i;
      }
      const Terminator& end = block.end;
      const auto follow = [&](const UnrolledEdge& edge, Term condition) {
        if (edge.beyond)
          go_on(*edge.beyond, store, condition);
        else
          join(stores[edge.to], store, condition);
      };
      switch (end.kind) {
      case TerminatorKind::Goto: follow(copy.edges[0], arena_.truth()); break;
      case TerminatorKind::Branch: {
        Term condition = substitute(arena_, end.value, store.values);
        follow(copy.edges[0], condition);
        follow(copy.edges[1], arena_.negate(condition));
        break;
      }
      default: leave(end, store);
      }
    }
    return std::move(body_);
  }

private:
  /// At the head of a loop that is cut, what the loop writes may have any value.
  void cut(const std::set<BlockId>& members, BlockId head, Store& store) {
    LoopCut made{head,
                 arena_.var(prefix_ + "!loop" + std::to_string(head), arena_.bool_sort()),
                 {store},
                 {},
                 {}};
    std::vector<Term> written;
    for (BlockId b : members)
      for (const Statement& s : procedure_.blocks[b].statements)
        if (s.target && std::ranges::find(written, s.target) == written.end())
          written.push_back(s.target);
    for (Term variable : written) {
      choose(store, variable, type_of(variable), Chooser::Unknown);
      body_.inputs.back().at_head = true;
    }
    store.path = arena_.conj(store.path, made.placeholder);
    made.head = store;
    body_.cuts.push_back(std::move(made));
  }

  /// Along a back edge that is not followed.
  void go_on(BlockId head, const Store& store, Term condition) {
    Store at = store;
    at.path = arena_.conj(at.path, condition);
    if (rounds_) {
      body_.beyond = arena_.disj(body_.beyond, at.path);
      return;
    }
    auto loop = std::ranges::find(body_.cuts, head, &LoopCut::block);
    should(loop != body_.cuts.end(), "a back edge should lead to a loop that was entered");
    loop->go_on.push_back(std::move(at));
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
    const Term fact = value_facts(arena_, type, input);
    body_.inputs.push_back({.variable = input, .chooser = chooser, .type = type, .fact = fact});
    store.values[target] = input;
    store.path = arena_.conj(store.path, fact);
  }

  Result<void> execute(const Statement& s, Store& store) {
    switch (s.kind) {
    case StatementKind::Assume:
      store.path = arena_.conj(store.path, substitute(arena_, s.value, store.values));
      break;
    case StatementKind::Assign: {
      const Term fits = in_type(arena_, type_of(s.target), s.value,
                                [this](Term variable) { return &type_of(variable); });
      if (!fits)
        return fail(s.where, "the range of the map assigned to '{}' cannot be put into a formula",
                    s.target->name);
      store.path = arena_.conj(store.path, substitute(arena_, fits, store.values));
      store.values[s.target] = substitute(arena_, s.value, store.values);
      break;
    }
    case StatementKind::Havoc:
      choose(store, s.target, type_of(s.target), s.chooser);
      if (s.opaque) explain(s, store);
      break;
    case StatementKind::New:
      // A fresh address is some address that is not null and that no variable holds; that it is
      // found nowhere in the heap is not said, which only adds behaviour.
      fresh(store, s.target);
      break;
    }
    return {};
  }

  /// Arguments may mention what has been sliced away since.
  void explain(const Statement& s, const Store& store) {
    FormulaInput& input = body_.inputs.back();
    input.opaque = s.opaque;
    input.reached = store.path;
    auto declared = [&](Term v) {
      const Variable* local = procedure_.find_local(v->name);
      return (local && local->term == v) || module_.state_index(v).has_value();
    };
    for (const Term argument : s.opaque->arguments) {
      const bool known = argument && std::ranges::all_of(variables(argument), declared);
      input.arguments.push_back(known ? substitute(arena_, argument, store.values) : nullptr);
    }
  }

  void fresh(Store& store, Term target) {
    std::vector<Term> others{arena_.null()};
    auto add = [&](const Variable& v) {
      if (v.type.sort == arena_.ref_sort()) others.push_back(value_in(store, v.term));
    };
    for (const StateVariable& v : module_.state) add(v);
    for (const Variable& v : procedure_.parameters) add(v);
    for (const Variable& v : procedure_.locals) add(v);
    choose(store, target, type_of(target), Chooser::Unknown);
    std::vector<Term> facts;
    for (Term other : others) facts.push_back(arena_.ne(store.values[target], other));
    body_.inputs.back().fact = arena_.conj(std::move(facts));
    body_.inputs.back().fresh = true;
    store.path = arena_.conj(store.path, body_.inputs.back().fact);
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
    // Paths exclude each other, so what tells them apart selects the values; parts that both
    // conditions have in common are kept once.
    const auto mine = parts_of(into.path), theirs = parts_of(path);
    joined_ += mine.size() * theirs.size() + into.values.size() * (1 + theirs.size());
    std::vector<Term> common, only_mine, only_theirs;
    for (Term part : mine)
      (std::ranges::find(theirs, part) != theirs.end() ? common : only_mine).push_back(part);
    for (Term part : theirs)
      if (std::ranges::find(mine, part) == mine.end()) only_theirs.push_back(part);
    const Term here = arena_.conj(std::move(only_mine)), there = arena_.conj(only_theirs);
    // Every variable that either side has assigned takes its value by which way was taken.
    std::vector<Term> assigned;
    for (const Substitution* values : {&std::as_const(into.values), &from.values})
      for (const auto& [variable, value] : *values) assigned.push_back(variable);
    std::ranges::sort(assigned, TermById());
    const auto repeated = std::ranges::unique(assigned);
    assigned.erase(repeated.begin(), repeated.end());
    for (Term v : assigned) {
      Term ours = value_in(into, v), other = value_in(from, v);
      if (ours != other) into.values[v] = arena_.ite(there, other, ours);
    }
    common.push_back(arena_.disj(here, there));
    into.path = arena_.conj(std::move(common));
  }

  void leave(const Terminator& end, const Store& store) {
    FormulaExit exit{.error = end.kind == TerminatorKind::Error,
                     .rejecting = end.rejecting,
                     .outcome = end.outcome < 0 ? 0 : static_cast<std::size_t>(end.outcome),
                     .end = &end,
                     .value = end.value ? substitute(arena_, end.value, store.values) : nullptr,
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
  LoopRounds rounds_;
  std::size_t joined_ = 0;
  BodyFormula body_;
};

} // namespace

namespace {

/// Whether more is said with the variable than what is known of it anyway.
bool speaks_of(Term formula, const FormulaInput& input) {
  if (formula == input.fact) return false;
  if (formula->op == Op::And)
    return std::ranges::any_of(formula->args, [&](Term part) { return speaks_of(part, input); });
  return std::ranges::count(variables(formula), input.variable) > 0;
}

} // namespace

bool BodyFormula::approximate() const {
  return std::ranges::any_of(inputs, [&](const FormulaInput& input) {
    if (input.chooser != Chooser::Unknown) return false;
    return std::ranges::any_of(exits, [&](const FormulaExit& exit) {
      return speaks_of(exit.guard, input) ||
             std::ranges::any_of(exit.after,
                                 [&](const auto& entry) { return speaks_of(entry.second, input); });
    });
  });
}

Result<BodyFormula> body_formula(const Component& component, const Procedure& procedure,
                                 const std::string& prefix, LoopRounds rounds) {
  return BodyExecutor(component, procedure, prefix, rounds).run();
}

bool has_loop(const Procedure& procedure) { return count_back_edges(procedure) > 0; }

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

Term value_facts(TermArena& arena, const Type& type, Term term) {
  if (!type.value) return range_fact(arena, type, term);
  const auto keys = domain_size(*type.key);
  if (!keys || *keys > most_listed_keys) return arena.truth();
  std::vector<Term> facts;
  for (std::uint64_t i = 0; i < *keys; ++i)
    facts.push_back(value_facts(
        arena, *type.value,
        arena.select(term, arena.constant(type.key->sort, scalar_value(*type.key, i)))));
  return arena.conj(std::move(facts));
}

Term state_facts(const Component& component) {
  std::vector<Term> facts;
  for (const StateVariable& v : component.module().state)
    facts.push_back(value_facts(component.arena(), v.type, v.term));
  return component.arena().conj(std::move(facts));
}

} // namespace tacit
