// old := state; havoc writes; havoc result; assume ensures; return result
#include "program/text/contract_body.h"

#include <algorithm>

#include "program/ir/names.h"

namespace tacit {
namespace {

/// No name of a program has it.
Term before(const Module& module, const StateVariable& variable) {
  return module.arena->var("old!" + variable.name(), variable.term->sort);
}

Substitution all_before(const Module& module) {
  Substitution by;
  for (const StateVariable& v : module.state) by.emplace(v.term, before(module, v));
  return by;
}

} // namespace

Term EnsuresScope::lookup(std::string_view name) const {
  if (Term known = ModuleScope::lookup(name)) return known;
  return name == "result" && procedure_.returns ? module_.arena->var(name, procedure_.returns->sort)
                                                : nullptr;
}

std::optional<NamedOperation> EnsuresScope::operation(std::string_view name, Sort wanted) const {
  if (name != "old") return ModuleScope::operation(name, wanted);
  return NamedOperation{{nullptr}, [&module = module_](const std::vector<Term>& arguments) {
                          return substitute(*module.arena, arguments.front(), all_before(module));
                        }};
}

void give_contract_body(const Module& module, Procedure& procedure) {
  TermArena& arena = *module.arena;
  FreshNames names(module, procedure);
  std::vector<Term> mentioned;
  for (Term clause : procedure.ensures)
    for (Term v : variables(clause)) mentioned.push_back(v);
  const auto speaks_of = [&](Term v) { return std::ranges::find(mentioned, v) != mentioned.end(); };
  procedure.blocks.assign(1, {});
  Block& body = procedure.blocks.front();
  const auto add = [&](StatementKind kind, Term target, Term value) {
    body.statements.push_back({.kind = kind,
                               .target = target,
                               .value = value,
                               .chooser = Chooser::Environment,
                               .where = procedure.where});
  };
  Substitution by;
  for (const StateVariable& v : module.state)
    if (const Term old = before(module, v); speaks_of(old)) {
      by[old] = add_local(arena, procedure, names, "old_" + v.name(), v.type);
      add(StatementKind::Assign, by[old], v.term);
    }
  const bool listed = !procedure.writes.empty();
  for (const StateVariable& v : module.state)
    if (listed ? std::ranges::find(procedure.writes, v.name()) != procedure.writes.end()
               : speaks_of(v.term))
      add(StatementKind::Havoc, v.term, nullptr);
  Term result = nullptr;
  if (procedure.returns) {
    result = add_local(arena, procedure, names, "result", *procedure.returns);
    by[arena.var("result", procedure.returns->sort)] = result;
    add(StatementKind::Havoc, result, nullptr);
  }
  for (const Term clause : procedure.ensures)
    add(StatementKind::Assume, nullptr, substitute(arena, clause, by));
  body.end = {.kind = TerminatorKind::Return, .value = result, .where = procedure.where};
  procedure.writes.clear();
  procedure.ensures.clear();
}

} // namespace tacit
