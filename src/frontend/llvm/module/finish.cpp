// What is done to a module once every body is lowered: contracts, names for constants, and leaving
// out what turned out not to matter.
#include <algorithm>

#include "base/should.h"
#include "frontend/llvm/facts/library.h"
#include "frontend/llvm/module/lowering.h"
#include "frontend/llvm/module/simplify.h"
#include "program/graph/branches.h"
#include "program/graph/call_graph.h"
#include "program/graph/uses.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"
#include "program/observe/instrument.h"
#include "program/reduce/fold.h"
#include "program/reduce/returns.h"

namespace tacit {

std::vector<Statement>::iterator after_choices(std::vector<Statement>& statements) {
  return std::ranges::find_if(statements, [](const Statement& s) {
    return s.kind != StatementKind::Havoc || s.chooser != Chooser::Client;
  });
}

/// Calls begin with the variable at its default, behind what they assume of arguments.
static void start_with_default(Module& module, const StateVariable& variable) {
  const Statement reset{.kind = StatementKind::Assign,
                        .target = variable.term,
                        .value = default_term(*module.arena, variable.type)};
  for (Procedure& p : module.procedures) {
    if (p.kind != ProcedureKind::Method && p.kind != ProcedureKind::Constructor) continue;
    auto& statements = p.blocks[0].statements;
    statements.insert(
        std::find_if(after_choices(statements), statements.end(),
                     [](const Statement& s) { return s.kind != StatementKind::Assume; }),
        reset);
  }
}

Term constant_of(TermArena& arena, const Type& type, std::int64_t number) {
  if (type.sort->kind == SortKind::Int) return arena.integer(number);
  if (type.sort->kind == SortKind::Bool) return arena.boolean(number != 0);
  if (type.sort->kind != SortKind::Enum) return nullptr;
  for (std::size_t i = 0; i < type.sort->decl->values.size(); ++i)
    if (type.sort->decl->values[i].value == number) return arena.enumerator(type.sort, i);
  return nullptr;
}

/// A constructor whose last arguments may be left out is one for those who do as well:
/// `Writer()` beside `Writer(int depth = 16)`.
static void leave_out_arguments(Module& module, const Procedure& constructor,
                                const std::vector<ParameterFact>& parameters) {
  if (constructor.parameters.size() != parameters.size()) return;
  Procedure made = constructor;
  std::vector<Statement> first;
  while (!made.parameters.empty()) {
    const Variable& last = made.parameters.back();
    const auto& otherwise = parameters[made.parameters.size() - 1].otherwise;
    const Term value = otherwise ? constant_of(*module.arena, last.type, *otherwise) : nullptr;
    if (!value) break;
    first.push_back({.kind = StatementKind::Assign, .target = last.term, .value = value});
    made.locals.push_back(last);
    made.parameters.pop_back();
  }
  // Others could not be told from these by the number of arguments.
  if (first.empty() || !made.parameters.empty()) return;
  made.name = std::string(bare_name(constructor.name)) + "()";
  if (module.find_procedure(made.name)) return;
  auto& statements = made.blocks[0].statements;
  statements.insert(after_choices(statements), first.begin(), first.end());
  module.procedures.push_back(std::move(made));
}

Result<void> Lowering::finish() {
  for (const Root& root : roots_)
    if (const Procedure* made = module_.find_procedure(root.name);
        made && made->kind == ProcedureKind::Constructor && root.fact->is_constructor)
      leave_out_arguments(module_, Procedure(*made), root.fact->parameters);
  for (const auto& [name, fact] : facts_.enums)
    if (open_enums_.contains(name)) constants_of(fact);
  if (auto applied = contract_use_.apply(module_, options_.contracts); !applied) return applied;
  expand_reached();
  expand_markers();
  end_freed();
  spoil_made_handles();
  drop_idle_calls();
  summarise_large();
  drop_arguments();
  declare_constants();
  for (Procedure& procedure : module_.procedures) {
    if (procedure.blocks.empty()) continue;
    tidy(procedure);
    fold(module_, procedure);
    return_in_place(procedure);
  }
  fill_arrays_at_once(module_);
  forget_unknown_objects(module_);
  drop_idle_sizes(module_);
  drop_write_only();
  for (Procedure& procedure : module_.procedures)
    if (!procedure.blocks.empty()) fold(module_, procedure);
  forget_unknown_products(module_);
  drop_unused();
  // Where something was found is for the call that looked for it: iterators that are kept are not
  // followed.
  for (const auto& [key, term] : fields_)
    if (key.kind == StateKey::Kind::Fact && (key.path == "found" || key.path == "at"))
      if (const StateVariable* found = module_.find_state(term->name))
        start_with_default(module_, *found);
  forget_client_objects();
  assume_unwritten();
  assume_alone();
  if (receiver_address_ || !fields_.empty()) assume_addresses();
  let_clients_write();
  return {};
}

/// Nothing is allowed on what was freed.
void Lowering::end_freed() {
  if (!freed_) return;
  for (Procedure& p : module_.procedures) {
    if (p.kind != ProcedureKind::Method) continue;
    Block& first = p.blocks[0];
    const auto rest = after_choices(first.statements);
    Block body{{rest, first.statements.end()}, first.end};
    first.statements.erase(rest, first.statements.end());
    const Location where = body.end.where;
    const auto next = static_cast<BlockId>(p.blocks.size());
    first.end = {.kind = TerminatorKind::Branch,
                 .value = freed_,
                 .next = next + 1,
                 .other = next,
                 .where = where};
    p.blocks.push_back(std::move(body));
    p.blocks.push_back(
        {{}, {.kind = TerminatorKind::Error, .name = used_after_free, .where = where}});
  }
}

/// Variables that others could name and write.
void Lowering::assume_unwritten() {
  for (const llvm::GlobalVariable& variable : code_.globals()) {
    const GlobalFact* known = global(variable);
    if (!known || !known->is_reachable || known->is_public || known->is_const ||
        variable.isConstant() || known->in_system_header)
      continue;
    const bool followed = on_heap(variable) || std::ranges::any_of(fields_, [&](const auto& entry) {
                            return entry.first.kind == StateKey::Kind::Global &&
                                   entry.first.of == variable.getName() &&
                                   module_.find_state(entry.second->name);
                          });
    if (followed) assume("nobody but the given code writes " + known->name);
  }
}

/// Variables that all objects of the class share, and that its calls change.
void Lowering::assume_alone() {
  if (!receiver_) return;
  VariableSet written;
  for (const Procedure& p : module_.procedures) {
    each_write(p, [&](Term target, Term) { written.insert(target); });
    for (const std::string& name : p.writes)
      if (const StateVariable* v = module_.find_state(name)) written.insert(v->term);
  }
  for (const auto& [key, term] : fields_)
    if (key.kind == StateKey::Kind::Global && module_.find_state(term->name) &&
        written.contains(term))
      assume(term->name + " is changed by calls on this object only");
}

/// Something that nobody knows is given, and taken where clients have been given a way to write.
std::pair<Statement, Statement>
Lowering::as_clients_left(Procedure& procedure, const StateVariable& variable, Term flag) {
  FreshNames names(module_, procedure);
  const Term given = add_local(arena(), procedure, names, "given", variable.type);
  return {{.kind = StatementKind::Havoc, .target = given, .chooser = Chooser::Unknown},
          {.kind = StatementKind::Assign,
           .target = variable.term,
           .value = arena().ite(flag, given, variable.term)}};
}

/// Between calls clients write what they have pointers to.
void Lowering::let_clients_write() {
  for (const auto& [variable, flag] : lent_) {
    const StateVariable* known = module_.find_state(variable->name);
    if (!known || !module_.find_state(flag->name)) continue;
    assume("clients may change " + variable->name + " through what they were given");
    for (Procedure& p : module_.procedures) {
      if (p.kind != ProcedureKind::Method) continue;
      auto [given, taken] = as_clients_left(p, *known, flag);
      auto& statements = p.blocks[0].statements;
      const auto at = statements.insert(after_choices(statements), std::move(taken));
      statements.insert(at, std::move(given));
    }
  }
}

/// Memory that is not zeroed holds anything.
void Lowering::spoil_made_handles() {
  for (const Root& root : roots_) {
    if (!root.fact->makes_handle || root.fact->zeroes_handle) continue;
    Procedure* procedure = module_.find_procedure(root.name);
    if (!procedure || procedure->blocks.empty()) continue;
    for (const auto& [key, variable] : fields_)
      if (const StateVariable* field = module_.find_state(variable->name);
          key.kind == StateKey::Kind::Receiver && field && !field->client)
        procedure->blocks[0].statements.insert(
            after_choices(procedure->blocks[0].statements),
            {.kind = StatementKind::Havoc, .target = variable, .chooser = Chooser::Unknown});
  }
}

/// Callees write what they get to. Contracts have said what they say.
void Lowering::expand_reached() {
  for (const auto& [callee, reached] : reaching_) {
    Procedure* procedure = module_.find_procedure(callee);
    if (!procedure || procedure->kind != ProcedureKind::Extern || !procedure->blocks.empty())
      continue;
    std::set<std::string> records;
    for (const std::string& name : reached.records)
      if (const auto known = record_names_.find(name); known != record_names_.end())
        records.insert(known->second);
    for (const StateVariable& v : module_.state) {
      const bool written = (reached.everything && !is_address(v.term)) ||
                           (!v.record.empty() && (reached.heap || records.contains(v.record)));
      if (written && std::ranges::find(procedure->writes, v.name()) == procedure->writes.end())
        procedure->writes.push_back(v.name());
    }
  }
}

Term Lowering::any_state() {
  Term& known = fields_[{StateKey::Kind::Everything, "", ""}];
  if (!known) known = add_state("any.state", {.sort = arena().bool_sort()}).term;
  return known;
}

Term Lowering::given_state(bool parts) {
  Term& known = fields_[{StateKey::Kind::Given, "", parts ? "parts" : ""}];
  if (!known)
    known = add_state(parts ? "given.parts" : "given.state", {.sort = arena().bool_sort()}).term;
  return known;
}

void Lowering::expand_markers() {
  const auto marker = [&](StateKey::Kind kind, const char* path) {
    const auto found = fields_.find({kind, "", path});
    return found == fields_.end() ? nullptr : found->second;
  };
  const Term all = marker(StateKey::Kind::Everything, ""),
             given = marker(StateKey::Kind::Given, ""),
             parts = marker(StateKey::Kind::Given, "parts");
  if (!all && !given && !parts) return;
  for (Procedure& p : module_.procedures)
    for (Block& b : p.blocks) {
      std::vector<Statement> made;
      for (Statement& s : b.statements) {
        if (s.target && (s.target == given || s.target == parts)) {
          forget_given(p, made, s.target == parts);
          continue;
        }
        if (!s.target || s.target != all) {
          made.push_back(std::move(s));
          continue;
        }
        for (const StateVariable& v : module_.state)
          if (v.term != all && v.term != given && v.term != parts && !is_address(v.term)) {
            made.push_back(s);
            made.back().target = v.term;
          }
      }
      b.statements = std::move(made);
    }
}

/// A client may have handed in what it was given: then this is written.
void Lowering::forget_given(Procedure& procedure, std::vector<Statement>& into, bool parts) {
  for (const auto& [variable, flag] : lent_) {
    const StateVariable* known = module_.find_state(variable->name);
    if (!known || (parts && !variable->name.contains('.'))) continue;
    auto [given, taken] = as_clients_left(procedure, *known, flag);
    into.push_back(std::move(given));
    into.push_back(std::move(taken));
  }
}

/// Calls that turned out to do nothing at all.
void Lowering::drop_idle_calls() {
  std::set<std::string> idle;
  for (const Procedure& p : module_.procedures)
    if (!p.beside.empty() && p.writes.empty()) idle.insert(p.name);
  for (Procedure& p : module_.procedures)
    for (Block& b : p.blocks)
      if (b.end.kind == TerminatorKind::Call && idle.contains(b.end.name)) go_to(b, b.end.next);
}

namespace {

/// Whether a field is only read, and only of objects that the call is handed and that nobody tells
/// from others: then whoever hands one in chooses what the field holds, and nothing is known of it
/// after the call in any case.
class ReadOfArguments {
public:
  explicit ReadOfArguments(const Module& module) : module_(module) {
    for (const Procedure& p : module.procedures) {
      each_write(p, [&](Term target, Term) { written_.insert(target); });
      for (const std::string& name : p.writes)
        if (const StateVariable* v = module.find_state(name)) written_.insert(v->term);
    }
    for (const Procedure& p : module.procedures) {
      // What a component starts from is not chosen with the arguments of its constructor.
      if (p.kind == ProcedureKind::Constructor) read_by_constructors_.merge(mentioned(p));
      VariableSet told;
      for (const Block& b : p.blocks) {
        for (const Statement& s : b.statements)
          if (s.value) find_told(s.value, told);
        if (b.end.value) find_told(b.end.value, told);
        // An extern without a body keeps nothing that the component could look at.
        const Procedure* callee =
            b.end.kind == TerminatorKind::Call ? module.find_procedure(b.end.name) : nullptr;
        for (const Term argument : b.end.arguments)
          if (!callee || !callee->blocks.empty() || argument->op != Op::Var)
            find_told(argument, told);
      }
      if (p.kind == ProcedureKind::Method || p.kind == ProcedureKind::Constructor)
        for (const Variable& v : p.parameters)
          if (!told.contains(v.term) && !written_.contains(v.term)) plain_.insert(v.term);
    }
  }

  bool never_written(Term field) const { return !written_.contains(field); }

  bool only(Term field) const {
    if (written_.contains(field) || read_by_constructors_.contains(field)) return false;
    bool all = true;
    for (const Procedure& p : module_.procedures) {
      each_read(p, [&](Term value, Term) { all = all && reads_well(value, field); });
      for (const Term t : p.ensures) all = all && !mentions(t, field);
    }
    return all;
  }

private:
  static bool is_null(Term t) { return t->op == Op::RefConst && t->number == 0; }

  /// References that are used otherwise than to read a field or to be compared with null.
  static void find_told(Term t, VariableSet& told) {
    if (t->op == Op::Var && t->sort->kind == SortKind::Ref) told.insert(t);
    const bool test = t->op == Op::Eq && (is_null(t->args[0]) || is_null(t->args[1]));
    for (std::size_t i = 0; i < t->args.size(); ++i) {
      const Term a = t->args[i];
      if (a->op == Op::Var && (test || (t->op == Op::Select && i == 1))) continue;
      find_told(a, told);
    }
  }

  static bool mentions(Term t, Term field) {
    return t == field || std::ranges::any_of(t->args, [&](Term a) { return mentions(a, field); });
  }

  bool reads_well(Term t, Term field) const {
    if (t == field) return false;
    if (t->op == Op::Select && t->args[0] == field) return plain_.contains(t->args[1]);
    return std::ranges::all_of(t->args, [&](Term a) { return reads_well(a, field); });
  }

  const Module& module_;
  VariableSet written_, plain_, read_by_constructors_;
};

} // namespace

/// Whether the given code itself makes objects of a record: those that it is handed may be these.
static bool is_made_here(const Module& module, const std::string& record) {
  return std::ranges::any_of(module.procedures, [&](const Procedure& p) {
    return std::ranges::any_of(p.blocks, [&](const Block& b) {
      return std::ranges::any_of(b.statements, [&](const Statement& s) {
        return s.kind == StatementKind::New && s.record == record;
      });
    });
  });
}

/// Whether no client can have made an object: C, where no header says what is in it, unless none is
/// made here either.
bool Lowering::only_made_here(const RecordFact& fact) {
  if (facts_.language != "c" || !fact.in_main_file) return false;
  const auto known = record_names_.find(fact.name);
  if (known != record_names_.end() && is_made_here(module_, known->second)) return true;
  return std::ranges::any_of(code_.globals(), [&](const llvm::GlobalVariable& variable) {
    const llvm::Type* type = variable.getValueType();
    while (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
      type = array->getElementType();
    return record_of(type) == &fact;
  });
}

/// Objects that a client hands over by pointer are the client's to change between calls, so what is
/// known about their fields ends with a call.
void Lowering::forget_client_objects() {
  std::set<std::string> handed, private_here;
  for (const auto* names : {&lent_records_.records, &lent_records_.owners})
    for (const std::string& name : *names) {
      const RecordFact* lent = record(name);
      if (!lent || (facts_.language == "c" && lent->in_main_file)) continue;
      if (const auto known = record_names_.find(name); known != record_names_.end())
        handed.insert(known->second);
    }
  for (const std::string& name : lent_insides_)
    if (const auto known = record_names_.find(name); known != record_names_.end())
      handed.insert(known->second);
  for (const Root& root : roots_) {
    if (!root.function) continue;
    for (const ParameterFact& parameter : root.fact->parameters) {
      if (parameter.type.kind != SourceType::Kind::Pointer) continue;
      const RecordFact* record_fact = record(parameter.type.name);
      if (!record_fact || only_made_here(*record_fact)) continue;
      const bool hidden = facts_.language == "c" && record_fact->in_main_file;
      if (const auto known = record_names_.find(record_fact->name); known != record_names_.end())
        (hidden ? private_here : handed).insert(known->second);
    }
  }
  const ReadOfArguments read(module_);
  for (const StateVariable& v : module_.state) {
    // What no header tells a client of is set by this code, as far as it sets it at all.
    const bool theirs = handed.contains(v.record) ||
                        (private_here.contains(v.record) && read.never_written(v.term));
    if (v.record.empty() || !theirs || read.only(v.term)) continue;
    assume("clients may change objects of type " + v.record + " between calls");
    for (Procedure& p : module_.procedures)
      if (p.kind == ProcedureKind::Method || p.kind == ProcedureKind::Constructor)
        p.blocks[0].statements.insert(
            after_choices(p.blocks[0].statements),
            {.kind = StatementKind::Havoc, .target = v.term, .chooser = Chooser::Unknown});
  }
}

/// Addresses of the component's own objects mean nothing to a callee whose contract does not speak
/// of them.
void Lowering::drop_arguments() {
  std::map<std::string, std::vector<bool>> spoken;
  for (const Procedure& p : module_.procedures) {
    if (p.kind != ProcedureKind::Extern) continue;
    VariableSet used;
    for (const Term t : p.ensures) add_variables(used, t);
    each_read(p, [&](Term value, Term) { add_variables(used, value); });
    for (const Variable& v : p.parameters) spoken[p.name].push_back(used.contains(v.term));
  }
  for (Procedure& p : module_.procedures)
    for (Block& b : p.blocks) {
      if (b.end.kind != TerminatorKind::Call || !spoken.contains(b.end.name)) continue;
      for (std::size_t i = 0; i < b.end.arguments.size(); ++i)
        if (Term& t = b.end.arguments[i]; t->sort == arena().ref_sort() && !spoken[b.end.name][i]) {
          const Variable* local = p.find_local(t->name);
          if (is_address(t) || (local && local->term == t && local->address != Address::None))
            t = arena().null();
        }
    }
}

/// Addresses stand still and are not null.
void Lowering::assume_addresses() {
  constexpr std::ptrdiff_t few = 6;
  const auto addresses = std::ranges::count_if(
      module_.state, [&](const StateVariable& v) { return is_address(v.term); });
  for (Procedure& procedure : module_.procedures) {
    if (procedure.kind == ProcedureKind::Extern || procedure.blocks.empty()) continue;
    std::set<Term, TermById> used;
    const auto see = [&](Term term) {
      for (const Term v : variables(term))
        if (is_address(v)) used.insert(v);
    };
    each_read(procedure, [&](Term value, Term) { see(value); });
    // What holds from the start need not be found out by others.
    if (procedure.kind == ProcedureKind::Constructor || addresses <= few)
      for (const StateVariable& v : module_.state) see(v.term);
    const auto assume_first = [&](Term condition) {
      procedure.blocks[0].statements.insert(after_choices(procedure.blocks[0].statements),
                                            {.kind = StatementKind::Assume, .value = condition});
    };
    const auto kind = [&](Term v) { return module_.find_state(v->name)->address; };
    // What is on the stack is neither a part of the component nor another object.
    const auto apart = [&](Term a, Term b) {
      if (kind(a) == kind(b)) return kind(a) != Address::Place;
      return (kind(a) == Address::Place && is_local_address(a)) ||
             (kind(b) == Address::Place && is_local_address(b));
    };
    for (auto a = used.begin(); a != used.end(); ++a)
      for (auto b = std::next(a); b != used.end(); ++b)
        if (apart(*a, *b)) assume_first(arena().ne(*a, *b));
    for (const Term v : used) assume_first(arena().ne(v, arena().null()));
  }
}

/// Named constants, so that `returns:NAME` finds them: those among the values that are returned.
void Lowering::declare_constants() {
  std::set<Integer> returned;
  const auto see = [&](Term term, auto& self) -> void {
    if (!term) return;
    if (term->op == Op::IntConst) returned.insert(term->number);
    if (term->op == Op::Ite) {
      self(term->args[1], self);
      self(term->args[2], self);
    }
  };
  for (const Procedure& procedure : module_.procedures) {
    if (!procedure.returns || procedure.returns->sort != arena().int_sort()) continue;
    for (const Block& block : procedure.blocks) {
      for (const Statement& s : block.statements)
        if (s.kind == StatementKind::Assign) see(s.value, see);
      see(block.end.value, see);
      for (const Term t : block.end.arguments) see(t, see);
    }
  }
  std::set<std::string> taken;
  for (const StateVariable& v : module_.state) taken.insert(v.name());
  for (const Procedure& p : module_.procedures)
    for (const auto* list : {&p.parameters, &p.locals})
      for (const Variable& v : *list) taken.insert(v.name());
  for (const Sort sort : module_.enums)
    for (const Enumerator& e : sort->decl->values) taken.insert(e.name);
  for (const Exception& e : module_.exceptions) taken.insert(e.name);
  std::vector<EnumDecl> groups;
  const auto put = [&](const std::string& name, std::int64_t value) {
    if (!returned.contains(value) || taken.contains(name)) return;
    taken.insert(name);
    for (EnumDecl& group : groups)
      if (std::ranges::none_of(group.values,
                               [&](const Enumerator& e) { return e.value == value; })) {
        group.values.push_back({name, value});
        return;
      }
    groups.push_back(
        {.name = "constants" + (groups.empty() ? "" : std::to_string(groups.size() + 1)),
         .values = {{name, value}},
         .numbers = true});
  };
  for (const auto& [name, value] : extra_constants_) put(name, value);
  for (const auto& [name, value] : facts_.constants) put(name, value);
  for (EnumDecl& group : groups)
    if (!names_.contains(group.name)) module_.enums.push_back(arena().enum_sort(std::move(group)));
}

void Lowering::constants_of(const EnumFact& fact) {
  for (const auto& [name, value] : fact.values) extra_constants_[name] = value;
}

/// Fields that take any value and that nothing reads say nothing about the protocol, and would only
/// blow up the state. A flag that is set to constants stays: an error may be specified by it.
void Lowering::drop_write_only() {
  VariableSet read, varied;
  // `m := m[k := v]` reads m for itself only.
  const auto see = [&](Term value, Term target) {
    for (const Term v : variables(value))
      if (v != target) read.insert(v);
  };
  for (const Procedure& p : module_.procedures) {
    for (const std::string& name : p.writes)
      if (const StateVariable* v = module_.find_state(name)) varied.insert(v->term);
    for (const Term t : p.ensures) see(t, nullptr);
    each_read(p, see);
    each_write(p, [&](Term target, Term value) {
      if (!value || !is_constant(value)) varied.insert(target);
    });
  }
  for (const Term t : module_.invariants) see(t, nullptr);
  VariableSet dead;
  for (const StateVariable& v : module_.state)
    if (!read.contains(v.term) && varied.contains(v.term) && v.type.sort->kind != SortKind::Bool &&
        v.type.sort->kind != SortKind::Enum) {
      dead.insert(v.term);
      assume(v.shown_name() + " is never read and left out");
    }
  if (dead.empty()) return;
  for (Procedure& p : module_.procedures) {
    std::erase_if(p.writes, [&](const std::string& name) {
      return dead.contains(module_.find_state(name)->term);
    });
    for (Block& b : p.blocks) {
      std::erase_if(b.statements, [&](const Statement& s) {
        return s.kind != StatementKind::New && s.target && dead.contains(s.target);
      });
      if (b.end.result && dead.contains(b.end.result)) b.end.result = nullptr;
    }
  }
}

void Lowering::drop_unused() {
  drop_unreached(module_);
  // State that is only written does not matter, except by a name a user may give: it is kept when
  // it is a field of the receiver that is written.
  VariableSet used;
  std::set<std::string> written;
  for (const Procedure& p : module_.procedures) {
    used.merge(mentioned(p));
    written.insert(p.writes.begin(), p.writes.end());
  }
  keep_state(module_, [&](const StateVariable& v) {
    return used.contains(v.term) || written.contains(v.name());
  });
  std::set<std::string> named;
  const auto see_type = [&](const Type& type, auto& self) -> void {
    if (!type.record.empty()) named.insert(type.record);
    if (type.key) self(*type.key, self);
    if (type.value) self(*type.value, self);
  };
  for (const StateVariable& v : module_.state) see_type(v.type, see_type);
  for (const Procedure& p : module_.procedures) {
    for (const auto* list : {&p.parameters, &p.locals})
      for (const Variable& v : *list) see_type(v.type, see_type);
    if (p.returns) see_type(*p.returns, see_type);
    for (const Block& b : p.blocks)
      for (const Statement& s : b.statements)
        if (s.kind == StatementKind::New) named.insert(s.record);
  }
  std::erase_if(module_.records, [&](const Record& r) { return !named.contains(r.name); });
}

} // namespace tacit
