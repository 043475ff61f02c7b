// From clauses to a body. The environment first decides what is written, then whether the call
// fails and how, and last the result:
//
//   havoc writes; { havoc fails; if (fails) throw E }…; havoc result; assume ensures; return result
//
// A failing call may have written already, so the havocs of `writes` come first; `ensures` speaks
// of normal returns.
#include "program/text/externs.h"

#include <algorithm>
#include <set>

#include "base/should.h"
#include "logic/term/print.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

class Expansion {
public:
  Expansion(const Module& module, Procedure& procedure)
      : module_(module), procedure_(procedure), names_(module, procedure) {}

  void run() {
    procedure_.blocks.emplace_back();
    havoc_writes();
    add_failures();
    add_return();
    procedure_.writes.clear();
    procedure_.throws.clear();
    procedure_.ensures.clear();
  }

private:
  Block& last() { return procedure_.blocks.back(); }

  /// Of a callee that is neither the client's nor described nobody chooses what it does.
  Statement havoc(Term target) const {
    const bool unknown = origin_of(procedure_) == Origin::Unknown;
    return {.kind = StatementKind::Havoc,
            .target = target,
            .chooser = unknown ? Chooser::Unknown : Chooser::Environment,
            .where = procedure_.where};
  }

  void havoc_writes() {
    for (const std::string& name : procedure_.writes) {
      const StateVariable* variable = module_.find_state(name);
      should(variable != nullptr, "an extern should write state variables only");
      last().statements.push_back(havoc(variable->term));
      // What stands beside a callee is what it might do for all that is known.
      if (!procedure_.beside.empty()) last().statements.back().chooser = Chooser::Unknown;
    }
  }

  void add_failures() {
    if (procedure_.throws.empty()) return;
    TermArena& arena = *module_.arena;
    const Term fails =
        add_local(arena, procedure_, names_, "fails", Type{.sort = arena.bool_sort()});
    for (const std::string& name : procedure_.throws) {
      last().statements.push_back(havoc(fails));
      const auto thrown = static_cast<BlockId>(procedure_.blocks.size());
      last().end = {.kind = TerminatorKind::Branch,
                    .value = fails,
                    .next = thrown,
                    .other = thrown + 1,
                    .where = procedure_.where};
      procedure_.blocks.push_back({{}, failure(name)});
      procedure_.blocks.emplace_back();
    }
  }

  Terminator failure(const std::string& name) const {
    const auto index = module_.find_exception(name);
    should(index.has_value(), "an extern should throw declared exceptions only");
    return {.kind = TerminatorKind::Throw,
            .value = module_.arena->enumerator(module_.exception_sort, *index),
            .environment = true,
            .where = procedure_.where};
  }

  void add_return() {
    TermArena& arena = *module_.arena;
    Substitution by;
    Term result = nullptr;
    if (procedure_.returns) {
      result = add_local(arena, procedure_, names_, "result", *procedure_.returns);
      by.emplace(arena.var("result", procedure_.returns->sort), result);
      last().statements.push_back(havoc(result));
    }
    for (const Term clause : procedure_.ensures)
      last().statements.push_back({.kind = StatementKind::Assume,
                                   .value = substitute(arena, clause, by),
                                   .where = procedure_.where});
    last().end = {.kind = TerminatorKind::Return, .value = result, .where = procedure_.where};
  }

  const Module& module_;
  Procedure& procedure_;
  FreshNames names_;
};

/// `havoc unknown x; assume wanted`: nobody chooses the value, and an assumption about it would
/// read as if there might be no run at all. What does not fit is replaced by something that does,
/// where such a thing is known.
class UnknownValues {
public:
  UnknownValues(Module& module, Procedure& procedure)
      : module_(module), arena_(*module.arena), procedure_(procedure), names_(module, procedure) {}

  void run() {
    for (Block& block : procedure_.blocks) {
      std::vector<Statement> made;
      for (Statement& s : block.statements) {
        const bool about = s.kind == StatementKind::Assume && !made.empty() &&
                           made.back().kind == StatementKind::Havoc &&
                           made.back().chooser == Chooser::Unknown;
        if (!about || !fit(made.back().target, s, made)) made.push_back(std::move(s));
      }
      block.statements = std::move(made);
    }
  }

private:
  bool fit(Term value, const Statement& assumption, std::vector<Statement>& into) {
    const Term wanted = assumption.value;
    const auto assign = [&](Term instead) {
      into.push_back({.kind = StatementKind::Assign,
                      .target = value,
                      .value = arena_.ite(wanted, value, instead),
                      .where = assumption.where});
      return true;
    };
    for (const Term instead : {arena_.integer(0), arena_.falsehood(), arena_.truth()})
      if (instead->sort == value->sort && is_true(substitute(arena_, wanted, {{value, instead}})))
        return assign(instead);
    if (value->sort != arena_.ref_sort()) return false;
    if (wanted == arena_.eq(value, arena_.null())) return assign(arena_.null());
    if (wanted != arena_.ne(value, arena_.null())) return false;
    if (std::ranges::find(module_.records, "Object", &Record::name) == module_.records.end())
      module_.records.push_back({"Object", {}});
    const Term made =
        add_local(arena_, procedure_, names_, "made", Type{.sort = arena_.ref_sort()});
    into.push_back({.kind = StatementKind::New,
                    .target = made,
                    .record = "Object",
                    .where = assumption.where});
    return assign(made);
  }

  Module& module_;
  TermArena& arena_;
  Procedure& procedure_;
  FreshNames names_;
};

/// What the callee does from a block on, if that is one thing.
std::string behaviour(const Module& module, const Procedure& procedure, BlockId from) {
  std::set<std::string> exits;
  std::set<BlockId> seen{from};
  std::vector<BlockId> work{from};
  while (!work.empty()) {
    const Terminator& end = procedure.blocks[work.back()].end;
    work.pop_back();
    const bool plain = end.value == nullptr || !is_constant(end.value);
    if (end.kind == TerminatorKind::Return)
      exits.insert(plain ? "returns" : "returns " + to_string(end.value));
    else if (end.kind == TerminatorKind::Throw && !plain)
      exits.insert("throws " + module.exceptions[static_cast<std::size_t>(end.value->number)].name);
    else if (end.kind != TerminatorKind::Goto && end.kind != TerminatorKind::Branch)
      exits.insert("");
    for (const BlockId next : successors(end))
      if (seen.insert(next).second) work.push_back(next);
  }
  return exits.size() == 1 ? *exits.begin() : "";
}

bool chooses(const Statement& s) {
  return s.kind == StatementKind::Havoc && s.chooser == Chooser::Environment;
}

/// A returned value is the environment's when it is chosen there, not when the contract says what
/// it is in terms of the component's state.
void mark_returns(Procedure& procedure) {
  std::set<Term, TermById> chosen, fixed;
  for (const Block& block : procedure.blocks)
    for (const Statement& s : block.statements) {
      if (chooses(s)) chosen.insert(s.target);
      if (s.kind == StatementKind::Assign) fixed.insert(s.target);
      if (s.kind != StatementKind::Assume) continue;
      const auto parts = s.value->op == Op::And ? s.value->args : std::vector{s.value};
      for (const Term part : parts)
        if (part->op == Op::Eq) fixed.insert(part->args.begin(), part->args.end());
    }
  for (Block& block : procedure.blocks) {
    if (block.end.kind != TerminatorKind::Return || !block.end.value) continue;
    const Term value = block.end.value;
    block.end.environment =
        is_constant(value) ? !chosen.empty() : chosen.contains(value) && !fixed.contains(value);
  }
}

void explain_choices(const Module& module, Procedure& procedure) {
  for (Block& block : procedure.blocks)
    for (Statement& s : block.statements) {
      if (s.kind != StatementKind::Havoc || s.chooser == Chooser::Client) continue;
      s.from = procedure.shown_name();
      OpaqueChoice choice{.callee = procedure.name, .shown = procedure.shown_name()};
      choice.result = std::ranges::any_of(procedure.blocks, [&](const Block& b) {
        return b.end.kind == TerminatorKind::Return && b.end.value == s.target;
      });
      if (block.end.kind == TerminatorKind::Branch && block.end.value == s.target) {
        choice.if_true = behaviour(module, procedure, block.end.next);
        choice.if_false = behaviour(module, procedure, block.end.other);
      }
      for (const Variable& v : procedure.parameters) choice.names.push_back(v.name());
      s.opaque = std::make_shared<const OpaqueChoice>(std::move(choice));
    }
}

} // namespace

void expand_externs(Module& module) {
  for (Procedure& procedure : module.procedures) {
    if (procedure.kind != ProcedureKind::Extern) continue;
    procedure.origin = origin_of(procedure); // which a body would seem to change
    if (procedure.blocks.empty()) Expansion(module, procedure).run();
    UnknownValues(module, procedure).run();
    mark_returns(procedure);
    explain_choices(module, procedure);
  }
}

} // namespace tacit
