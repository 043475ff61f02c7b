#include "client/found_objects.h"

#include <algorithm>

#include "client/conformance.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

// What lies in an object (object_layout.h).
constexpr std::string_view kept = "tacit_", state_name = "tacit_state", mark_name = "tacit_mark";

/// `tacit_state` of `file.s.tacit_state`; empty where it is no such thing.
std::string_view kept_name(Term variable) {
  const std::string_view name = variable->name;
  const auto dot = name.rfind('.');
  return dot != std::string_view::npos && name.substr(dot + 1).starts_with(kept)
             ? name.substr(dot + 1)
             : std::string_view();
}

bool is_kept(Term variable) { return !kept_name(variable).empty(); }

/// Maps from objects to numbers that are states or marks.
std::vector<const StateVariable*> kept_maps(const Module& module) {
  std::vector<const StateVariable*> maps;
  for (const StateVariable& v : module.state) {
    const std::string_view name = kept_name(v.term);
    if (v.type.value && v.type.value->sort->kind == SortKind::Int &&
        (name.starts_with(state_name) || name.starts_with(mark_name)))
      maps.push_back(&v);
  }
  return maps;
}

/// Whether pointers are made up there: one that nobody knows may lead to an object that is a local,
/// and of locals memory knows nothing. Functions that are handed out get such pointers.
bool makes_up_pointers(const Module& module, const std::set<std::string>& procedures) {
  return std::ranges::any_of(procedures, [&](const std::string& name) {
    const Procedure* p = module.find_procedure(name);
    return p &&
           (name.starts_with("callbacks") || std::ranges::any_of(p->blocks, [](const Block& b) {
              return std::ranges::any_of(b.statements, [](const Statement& s) {
                return s.kind == StatementKind::Havoc && s.chooser == Chooser::Unknown &&
                       s.target->sort->kind == SortKind::Ref;
              });
            }));
  });
}

/// Of memory that is new nothing is known.
void forget_new(Module& module, Procedure& p) {
  TermArena& arena = *module.arena;
  FreshNames names(module, p);
  for (Block& b : p.blocks) {
    std::vector<Statement> made;
    for (Statement& s : b.statements) {
      const Term target = s.kind == StatementKind::New ? s.target : nullptr;
      const Location where = s.where;
      made.push_back(std::move(s));
      if (!target) continue;
      for (const StateVariable* map : kept_maps(module)) {
        const Term any = add_local(arena, p, names, "fresh", *map->type.value);
        made.push_back({.kind = StatementKind::Havoc,
                        .target = any,
                        .chooser = Chooser::Unknown,
                        .where = where});
        made.push_back({.kind = StatementKind::Assign,
                        .target = map->term,
                        .value = arena.store(map->term, target, any),
                        .where = where});
      }
    }
    b.statements = std::move(made);
  }
}

} // namespace

Touched touched_objects(const Module& module, const std::set<std::string>& procedures) {
  Touched touched;
  const auto look = [&](Term term) {
    if (!term) return;
    for (const Term v : variables(term)) {
      if (!is_kept(v) || !module.find_state(v->name)) continue;
      if (v->sort->kind == SortKind::Map)
        touched.in_memory.insert(v->name.substr(0, v->name.rfind('.')));
      else
        touched.globals.insert(v->name);
    }
  };
  for (const std::string& name : procedures) {
    const Procedure* p = module.find_procedure(name);
    if (!p) continue;
    for (const Block& b : p->blocks) {
      for (const Statement& s : b.statements) {
        if (!s.where.known()) continue; // what others may have done before
        look(s.value);
        look(s.target);
        // An object that is looked at where nothing is known of memory.
        if (s.kind == StatementKind::Havoc && s.chooser == Chooser::Unknown &&
            s.where.file.contains('#'))
          touched.in_memory.insert("?");
      }
      look(b.end.value);
      for (const Term argument : b.end.arguments) look(argument);
      look(b.end.result);
    }
  }
  return touched;
}

WrittenProgram enter_with_found(Module& module, const WrittenProgram& program,
                                const KeptValues& kept_values,
                                const std::set<std::string>& functions) {
  WrittenProgram again = program;
  again.functions.clear();
  std::vector<Procedure> copies;
  for (const ClientFunction& function : program.functions) {
    if (!functions.contains(function.shown) || function.entries.size() != 1) continue;
    const std::string& call = function.entries.front().call;
    const Procedure* p = module.find_procedure(call);
    const std::set<std::string> reached = reached_from(module, call);
    if (!p || p->kind != ProcedureKind::Method ||
        touched_objects(module, reached).in_memory.empty() || makes_up_pointers(module, reached))
      continue;
    ClientFunction entered = function;
    entered.entries.clear();
    for (State state = 0; state < kept_values.states.size(); ++state) {
      Procedure copy = *p;
      copy.name = fmt::format("{}@{}", call, state);
      std::vector<Statement> first;
      for (const StateVariable* map : kept_maps(module))
        first.push_back(
            {.kind = StatementKind::Assign,
             .target = map->term,
             .value = module.arena->const_map(
                 map->type.sort, module.arena->integer(kept_name(map->term).starts_with(state_name)
                                                           ? kept_values.states[state]
                                                           : kept_values.mark))});
      auto& statements = copy.blocks.front().statements;
      statements.insert(std::ranges::find_if_not(statements,
                                                 [](const Statement& s) {
                                                   return s.kind == StatementKind::Havoc &&
                                                          s.chooser == Chooser::Client;
                                                 }),
                        first.begin(), first.end());
      entered.entries.push_back({.call = copy.name, .entered = {}, .found = state});
      copies.push_back(std::move(copy));
    }
    again.functions.push_back(std::move(entered));
  }
  for (Procedure& copy : copies) module.procedures.push_back(std::move(copy));
  for (Procedure& p : module.procedures) forget_new(module, p);
  return again;
}

} // namespace tacit
