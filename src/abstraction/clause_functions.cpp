#include "abstraction/clause_functions.h"

#include <algorithm>

#include "abstraction/body_formula.h"

namespace tacit {
namespace {

constexpr std::string_view suffix = "_req", invariant_name = "inv";

/// The method that a clause function is about; null when it is none.
const Procedure* subject_of(const Module& module, const Procedure& clause) {
  if (clause.kind != ProcedureKind::Method || !clause.name.ends_with(suffix)) return nullptr;
  const Procedure* subject =
      module.find_procedure(clause.name.substr(0, clause.name.size() - suffix.size()));
  return subject && subject->kind == ProcedureKind::Method ? subject : nullptr;
}

bool is_invariant(const Procedure& procedure) {
  return procedure.kind == ProcedureKind::Method && procedure.name == invariant_name &&
         procedure.parameters.empty() && procedure.returns;
}

/// Not zero: what `return a && b;` comes to is again `a && b`.
Term is_yes(TermArena& arena, Term value) {
  if (value->op == Op::Ite)
    return arena.ite(value->args[0], is_yes(arena, value->args[1]), is_yes(arena, value->args[2]));
  return arena.ne(value, arena.constant(value->sort, 0));
}

/// When the function returns something that is not zero, over state and its own parameters.
Result<Term> truth_of(const Component& component, const Procedure& clause) {
  TermArena& arena = component.arena();
  if (has_loop(clause)) return fail(clause.where, "the clause '{}' has a loop", clause.name);
  auto body = body_formula(component, clause, "clause", 0);
  if (!body) return std::unexpected(body.error());
  Substitution back;
  for (const FormulaInput& input : body->inputs) {
    if (!input.parameter)
      return fail(clause.where, "the clause '{}' depends on more than state and arguments",
                  clause.name);
    back[input.variable] = clause.parameters[*input.parameter].term;
  }
  std::vector<Term> cases;
  for (const FormulaExit& exit : body->exits) {
    if (!exit.after.empty())
      return fail(clause.where, "the clause '{}' changes the state", clause.name);
    if (exit.error || !exit.value) continue; // what fails does not say yes
    cases.push_back(arena.conj(exit.guard, is_yes(arena, exit.value)));
  }
  return substitute(arena, arena.disj(std::move(cases)), back);
}

} // namespace

Result<Module> with_clause_functions(const Module& module, const ComponentOptions& options) {
  Module made = clone(module);
  std::vector<std::string> names;
  for (const Procedure& p : module.procedures)
    if (subject_of(module, p) || is_invariant(p)) names.push_back(p.name);
  if (names.empty()) return made;
  ComponentOptions only = options;
  only.methods = names;
  only.letters.clear();
  only.assumes.clear();
  only.blind.clear();
  auto component = build_component(module, only);
  if (!component) return std::unexpected(component.error());
  for (const Call& call : component->calls()) {
    const Procedure& clause = component->body(call);
    auto truth = truth_of(*component, clause);
    if (!truth) return std::unexpected(truth.error());
    Procedure* original = made.find_procedure(call.name);
    original->kind = ProcedureKind::Internal;
    if (call.name == invariant_name) {
      made.invariants.push_back(*truth);
      continue;
    }
    Procedure* subject =
        made.find_procedure(subject_of(module, *module.find_procedure(call.name))->name);
    if (clause.parameters.size() > subject->parameters.size())
      return fail(clause.where, "the clause '{}' has more parameters than '{}'", clause.name,
                  subject->name);
    Substitution by;
    for (std::size_t i = 0; i < clause.parameters.size(); ++i) {
      if (clause.parameters[i].type.sort != subject->parameters[i].type.sort)
        return fail(clause.where, "parameter '{}' of the clause '{}' is not that of '{}'",
                    clause.parameters[i].name(), clause.name, subject->name);
      by[clause.parameters[i].term] = subject->parameters[i].term;
    }
    subject->preconditions.push_back(substitute(*made.arena, *truth, by));
  }
  return made;
}

} // namespace tacit
