// Effects by a least fixpoint per strongly connected component of the call graph, callees first. A
// block counts only if it can be reached given what is known of the callees so far: after a call of
// something that never returns nothing is read or written. As callees gain effects more blocks
// become reachable, so the iteration is monotone.
#include "program/graph/effects.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>

#include "base/should.h"
#include "program/graph/call_graph.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

/// Effects as they grow; `own` are the exceptions that own code throws itself.
struct Growing {
  Effects all;
  std::set<std::string> own;

  std::size_t size() const {
    return all.reads.size() + all.writes.size() + all.throws.size() + all.errors.size() +
           own.size() + (all.returns ? 1 : 0) + (all.allocates ? 1 : 0);
  }
};

class Analysis {
public:
  explicit Analysis(const Module& module) : module_(module), growing_(module.procedures.size()) {
    for (std::size_t i = 0; i < module.procedures.size(); ++i)
      index_.emplace(module.procedures[i].name, i);
    for (const StateVariable& variable : module.state) state_.emplace(variable.term, &variable);
  }

  std::vector<Effects> run() {
    for (const auto& component : call_graph(module_).bottom_up) {
      for (bool changed = true; changed;) {
        changed = false;
        for (const std::size_t member : component) changed |= grow(member);
      }
    }
    std::vector<Effects> found;
    for (Growing& growing : growing_) {
      std::ranges::set_difference(growing.all.throws, growing.own,
                                  std::inserter(growing.all.failures, growing.all.failures.end()));
      found.push_back(std::move(growing.all));
    }
    return found;
  }

private:
  bool grow(std::size_t index) {
    Growing& growing = growing_[index];
    const std::size_t before = growing.size();
    const Procedure& procedure = module_.procedures[index];
    if (procedure.blocks.empty())
      take_clauses(procedure, growing);
    else
      take_body(procedure, growing);
    return growing.size() != before;
  }

  void take_clauses(const Procedure& procedure, Growing& growing) {
    growing.all.returns = true;
    growing.all.writes.insert(procedure.writes.begin(), procedure.writes.end());
    growing.all.throws.insert(procedure.throws.begin(), procedure.throws.end());
    for (const Term clause : procedure.ensures) read(clause, growing);
  }

  void take_body(const Procedure& procedure, Growing& growing) {
    std::vector<bool> seen(procedure.blocks.size(), false);
    std::vector<BlockId> work{0};
    const auto reach = [&](BlockId to) {
      if (!seen[to]) work.push_back(to);
      seen[to] = true;
    };
    seen[0] = true;
    while (!work.empty()) {
      const Block& block = procedure.blocks[work.back()];
      work.pop_back();
      for (const Statement& statement : block.statements) take_statement(statement, growing);
      take_end(block.end, growing, reach);
    }
  }

  void take_statement(const Statement& statement, Growing& growing) {
    if (statement.value != nullptr) read(statement.value, growing);
    if (statement.target != nullptr) write(statement.target, growing);
    growing.all.allocates |= statement.kind == StatementKind::New;
  }

  void take_end(const Terminator& end, Growing& growing,
                const std::function<void(BlockId)>& reach) {
    if (end.value != nullptr) read(end.value, growing);
    switch (end.kind) {
    case TerminatorKind::Goto:
    case TerminatorKind::Branch: std::ranges::for_each(successors(end), reach); break;
    case TerminatorKind::Call: take_call(end, growing, reach); break;
    case TerminatorKind::Return: growing.all.returns = true; break;
    case TerminatorKind::Throw: take_throw(end, growing); break;
    case TerminatorKind::Error: growing.all.errors.insert(end.name); break;
    }
  }

  void take_throw(const Terminator& end, Growing& growing) {
    const auto add = [&](const std::string& name) {
      growing.all.throws.insert(name);
      if (!end.environment) growing.own.insert(name);
    };
    if (is_constant(end.value))
      add(module_.exceptions[static_cast<std::size_t>(end.value->number)].name);
    else
      for (const Exception& exception : module_.exceptions) add(exception.name);
  }

  void take_call(const Terminator& end, Growing& growing,
                 const std::function<void(BlockId)>& reach) {
    const auto found = index_.find(end.name);
    should(found != index_.end(), "a call should name a procedure of the module");
    const Growing callee = growing_[found->second]; // a copy: it may be the caller itself
    for (const Term argument : end.arguments) read(argument, growing);
    growing.all.reads.insert(callee.all.reads.begin(), callee.all.reads.end());
    growing.all.writes.insert(callee.all.writes.begin(), callee.all.writes.end());
    growing.all.errors.insert(callee.all.errors.begin(), callee.all.errors.end());
    growing.all.allocates |= callee.all.allocates;
    if (callee.all.returns) {
      if (end.result != nullptr) write(end.result, growing);
      reach(end.next);
    }
    for (const std::string& name : callee.all.throws)
      route(end, name, callee.own.contains(name), growing, reach);
  }

  void route(const Terminator& end, const std::string& name, bool own, Growing& growing,
             const std::function<void(BlockId)>& reach) {
    for (const Handler& handler : end.handlers) {
      if (!module_.exception_is(name, handler.exception)) continue;
      if (handler.binder != nullptr) write(handler.binder, growing);
      return reach(handler.target);
    }
    growing.all.throws.insert(name);
    if (own) growing.own.insert(name);
  }

  void read(Term term, Growing& growing) {
    for (const Term variable : variables(term))
      if (const auto found = state_.find(variable); found != state_.end())
        growing.all.reads.insert(found->second->name());
  }

  void write(Term target, Growing& growing) {
    if (const auto found = state_.find(target); found != state_.end())
      growing.all.writes.insert(found->second->name());
  }

  const Module& module_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::unordered_map<Term, const StateVariable*> state_;
  std::vector<Growing> growing_;
};

/// The body of a summary: havocs, and a chain of branches over the ways to end.
class SummaryBody {
public:
  SummaryBody(const Module& module, Procedure& summary, const Effects& effects)
      : module_(module), summary_(summary), effects_(effects), names_(module, summary) {}

  void build() {
    summary_.blocks.emplace_back();
    for (const std::string& name : effects_.writes) havoc(module_.find_state(name)->term);
    const auto ends = ways_to_end();
    if (ends.empty()) return add_no_end();
    if (ends.size() > 1) choose(ends);
    last().end = ends.back();
  }

private:
  Block& last() { return summary_.blocks.back(); }

  void havoc(Term target) {
    last().statements.push_back({.kind = StatementKind::Havoc,
                                 .target = target,
                                 .chooser = Chooser::Unknown,
                                 .where = summary_.where});
  }

  Terminator end(TerminatorKind kind) const {
    return {.kind = kind, .procedure = summary_.name, .where = summary_.where};
  }

  std::vector<Terminator> ways_to_end() {
    std::vector<Terminator> ends;
    if (effects_.returns) {
      ends.push_back(end(TerminatorKind::Return));
      if (summary_.returns) {
        ends.back().value =
            add_local(*module_.arena, summary_, names_, "result", *summary_.returns);
        havoc(ends.back().value);
      }
    }
    for (const std::string& name : effects_.throws) {
      ends.push_back(end(TerminatorKind::Throw));
      ends.back().value =
          module_.arena->enumerator(module_.exception_sort, *module_.find_exception(name));
      ends.back().environment = effects_.failures.contains(name);
    }
    for (const std::string& name : effects_.errors) {
      ends.push_back(end(TerminatorKind::Error));
      ends.back().name = name;
    }
    return ends;
  }

  void add_no_end() {
    last().statements.push_back(
        {.kind = StatementKind::Assume, .value = module_.arena->falsehood()});
    last().end = end(TerminatorKind::Return);
    if (summary_.returns)
      last().end.value = add_local(*module_.arena, summary_, names_, "result", *summary_.returns);
  }

  /// Leaves the last block open for the last way to end.
  void choose(const std::vector<Terminator>& ends) {
    TermArena& arena = *module_.arena;
    const Type type{
        .sort = arena.int_sort(), .low = 0, .high = static_cast<Integer>(ends.size()) - 1};
    const Term way = add_local(arena, summary_, names_, "way", type);
    havoc(way);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const auto next = static_cast<BlockId>(summary_.blocks.size());
      last().end = {.kind = TerminatorKind::Branch,
                    .value = arena.eq(way, arena.integer(static_cast<Integer>(i))),
                    .next = next,
                    .other = next + 1,
                    .where = summary_.where};
      summary_.blocks.push_back({{}, ends[i]});
      summary_.blocks.emplace_back();
    }
  }

  const Module& module_;
  Procedure& summary_;
  const Effects& effects_;
  FreshNames names_;
};

} // namespace

std::vector<Effects> effects(const Module& module) { return Analysis(module).run(); }

Procedure summary(const Module& module, const Procedure& procedure, const Effects& effects) {
  Procedure made;
  made.name = procedure.name;
  made.kind = procedure.kind;
  made.origin = procedure.origin;
  made.shown = procedure.shown;
  made.parameters = procedure.parameters;
  made.returns = procedure.returns;
  made.preconditions = procedure.preconditions;
  made.where = procedure.where;
  SummaryBody(module, made, effects).build();
  return made;
}

} // namespace tacit
