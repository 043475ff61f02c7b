#include "abstraction/formula/clause_functions.h"

#include <algorithm>

#include "abstraction/formula/body_formula.h"
#include "logic/solver/simplify.h"
#include "logic/z3/z3_solver.h"
#include "program/graph/call_graph.h"

namespace tacit {
namespace {

constexpr std::string_view suffix = "_req", invariant_name = "inv", record_prefix = "inv_";

/// The method that a clause function is about; null when it is none.
const Procedure* subject_of(const Module& module, const Procedure& clause) {
  if (clause.kind != ProcedureKind::Method || !clause.name.ends_with(suffix)) return nullptr;
  const Procedure* subject =
      module.find_procedure(clause.name.substr(0, clause.name.size() - suffix.size()));
  return subject && is_root(*subject) ? subject : nullptr;
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

/// Comparisons of what is chosen between constants, as choices between answers: outcomes that are
/// told apart by value leave such conditions behind.
Term plain(TermArena& arena, Term t, std::unordered_map<Term, Term>& done) {
  if (t->args.empty()) return t;
  if (const auto known = done.find(t); known != done.end()) return known->second;
  std::vector<Term> args;
  for (Term a : t->args) args.push_back(plain(arena, a, done));
  Term made = arena.rebuild(t, std::move(args));
  if (made->op == Op::Eq) {
    for (const auto& [chosen, constant] :
         {std::pair(made->args[0], made->args[1]), std::pair(made->args[1], made->args[0])}) {
      if (chosen->op != Op::Ite || !is_constant(constant) || !is_constant(chosen->args[1]) ||
          !is_constant(chosen->args[2]))
        continue;
      made = arena.ite(chosen->args[0], arena.eq(chosen->args[1], constant),
                       arena.eq(chosen->args[2], constant));
      break;
    }
  }
  return done[t] = made;
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
      return fail(clause.where, "the clause '{}' depends on more than state and arguments ({})",
                  clause.name, input.variable->name);
    back[input.variable] = clause.parameters[*input.parameter].term;
  }
  std::vector<Term> cases;
  std::unordered_map<Term, Term> done;
  for (const FormulaExit& exit : body->exits) {
    if (!exit.after.empty())
      return fail(clause.where, "the clause '{}' changes the state", clause.name);
    if (exit.error || !exit.value) continue; // what fails does not say yes
    cases.push_back(plain(arena, arena.conj(exit.guard, is_yes(arena, exit.value)), done));
  }
  return substitute(arena, arena.disj(std::move(cases)), back);
}

/// The record whose objects an invariant function `inv_RECORD(p)` is about; null when it is none.
const Record* record_of(const Module& module, const Procedure& clause) {
  if (clause.kind != ProcedureKind::Method || !clause.returns || clause.parameters.size() != 1 ||
      !clause.name.starts_with(record_prefix))
    return nullptr;
  const std::string& record = clause.parameters[0].type.record;
  if (record.empty() || clause.name.substr(record_prefix.size()) != record) return nullptr;
  const auto found = std::ranges::find(module.records, record, &Record::name);
  return found == module.records.end() ? nullptr : &*found;
}

/// Objects of one record are handed over in good order and have to be left so: the invariant is
/// part of the clause of each call that takes one, and a ghost variable says whether all calls have
/// kept it.
class RecordInvariant {
public:
  RecordInvariant(Module& module, const Procedure& function, Term truth)
      : module_(module), arena_(*module.arena), object_(function.parameters[0].term),
        record_(function.parameters[0].type.record), truth_(truth), name_(function.name) {}

  void add() {
    StateVariable kept;
    kept.type.sort = arena_.bool_sort();
    kept.term = arena_.var(name_ + ".kept", kept.type.sort);
    kept.initial = arena_.truth();
    module_.state.push_back(kept);
    module_.invariants.push_back(kept.term);
    for (Procedure& p : module_.procedures)
      if (is_root(p)) oblige(p, kept.term);
  }

private:
  Term of(Term object) {
    return arena_.disj(arena_.eq(object, arena_.null()),
                       substitute(arena_, truth_, {{object_, object}}));
  }

  void oblige(Procedure& p, Term kept) {
    std::vector<Term> objects;
    for (const Variable& v : p.parameters)
      if (v.type.sort == arena_.ref_sort() && v.type.record == record_) objects.push_back(v.term);
    if (objects.empty() || p.blocks.empty()) return;
    std::vector<Term> all;
    for (Term& object : objects) {
      p.preconditions.push_back(of(object));
      all.push_back(of(entry_value(p, object)));
    }
    const Term good = arena_.conj(std::move(all));
    for (Block& b : p.blocks)
      if (b.end.kind == TerminatorKind::Return || b.end.kind == TerminatorKind::Throw)
        b.statements.push_back({.kind = StatementKind::Assign,
                                .target = kept,
                                .value = arena_.conj(kept, good),
                                .record = {},
                                .where = b.end.where});
  }

  /// A variable that still has the parameter's value at the end.
  Term entry_value(Procedure& p, Term parameter) {
    const bool written = std::ranges::any_of(p.blocks, [&](const Block& b) {
      return b.end.result == parameter ||
             std::ranges::find(b.statements, parameter, &Statement::target) != b.statements.end();
    });
    if (!written) return parameter;
    Variable copy = *p.find_local(parameter->name);
    copy.term = arena_.var(parameter->name + ".given", parameter->sort);
    p.locals.push_back(copy);
    auto& first = p.blocks[0].statements;
    auto at = std::ranges::find_if(first, [](const Statement& s) {
      return s.kind != StatementKind::Havoc || s.chooser != Chooser::Client;
    });
    first.insert(at, {.kind = StatementKind::Assign,
                      .target = copy.term,
                      .value = parameter,
                      .record = {},
                      .where = p.where});
    return copy.term;
  }

  Module& module_;
  TermArena& arena_;
  Term object_;
  std::string record_;
  Term truth_;
  std::string name_;
};

} // namespace

Result<Module> with_clause_functions(const Module& module, const ComponentOptions& options) {
  Module made = clone(module);
  std::vector<std::string> names;
  for (const Procedure& p : module.procedures)
    if (subject_of(module, p) || is_invariant(p) || record_of(module, p)) names.push_back(p.name);
  if (names.empty()) return made;
  ComponentOptions only = options;
  only.methods = names;
  only.letters.clear();
  only.assumes.clear();
  only.blind.clear();
  // What is made of lowered code for its protocol's sake (hidden fields, references that are only
  // null or not) would be in the way.
  Module whole = clone(module);
  whole.conventions = {};
  auto component = build_component(whole, only);
  if (!component) return std::unexpected(component.error());
  const auto solver = make_z3_solver({}); // only to say it shorter
  std::vector<std::pair<const Procedure*, Term>> of_records;
  for (const Call& call : component->calls()) {
    const Procedure& clause = component->body(call);
    auto truth = truth_of(*component, clause);
    if (!truth) return std::unexpected(truth.error());
    *truth = simplify(*made.arena, *solver, made.arena->truth(), *truth);
    Procedure* original = made.find_procedure(call.name);
    original->kind = ProcedureKind::Internal;
    if (call.name == invariant_name) {
      made.invariants.push_back(*truth);
      continue;
    }
    if (record_of(module, *module.find_procedure(call.name))) {
      of_records.emplace_back(&clause, *truth);
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
  for (const auto& [function, truth] : of_records) RecordInvariant(made, *function, truth).add();
  return made;
}

} // namespace tacit
