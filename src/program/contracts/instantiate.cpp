#include "program/contracts/instantiate.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/should.h"

namespace tacit {

namespace {

/// Names that nothing in the module has: variables may not be called like constants either.
class InstanceNames {
public:
  explicit InstanceNames(const Module& module) {
    for (const StateVariable& v : module.state) taken_.insert(v.name());
    for (const Sort sort : module.enums)
      for (const Enumerator& e : sort->decl->values) taken_.insert(e.name);
    for (const Exception& e : module.exceptions) taken_.insert(e.name);
  }

  std::string take(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 2; !taken_.insert(name).second; ++i) name = wanted + "." + std::to_string(i);
    return name;
  }

private:
  std::set<std::string> taken_;
};

/// Types of a template as types of a module; none where they have no values there.
struct Binding {
  const std::vector<std::string>& parameters;
  const std::vector<std::optional<Type>>& arguments;
  const Module &home, &module;

  std::optional<Type> bind(const Type& type) const {
    TermArena& arena = *module.arena;
    Type made = type;
    switch (type.sort->kind) {
    case SortKind::Bool: made.sort = arena.bool_sort(); return made;
    case SortKind::Int: made.sort = arena.int_sort(); return made;
    case SortKind::Ref: made.sort = arena.ref_sort(); return made;
    case SortKind::Map: return bind_map(type);
    case SortKind::Enum: break;
    }
    const std::string& name = type.sort->decl->name;
    if (const auto found = std::ranges::find(parameters, name); found != parameters.end()) {
      const auto index = static_cast<std::size_t>(found - parameters.begin());
      return index < arguments.size() ? arguments[index] : std::nullopt;
    }
    made.sort = type.sort == home.exception_sort ? module.exception_sort : nullptr;
    for (const Sort sort : module.enums)
      if (sort->decl->name == name) made.sort = sort;
    return made.sort ? std::optional(made) : std::nullopt;
  }

private:
  std::optional<Type> bind_map(const Type& type) const {
    const auto key = bind(*type.key), value = bind(*type.value);
    if (!key || !value || key->sort->kind == SortKind::Map) return std::nullopt;
    return Type{.sort = module.arena->map_sort(key->sort, value->sort),
                .key = std::make_shared<Type>(*key),
                .value = std::make_shared<Type>(*value)};
  }
};

class Instance {
public:
  Instance(const Contract& contract, const Module& module, const Procedure& callee,
           const ContractSite& site)
      : contract_(contract), module_(module), arena_(*module.arena), callee_(callee), site_(site),
        names_(module) {}

  Result<Procedure> run() {
    for (const std::string& name : contract_.exceptions)
      if (!module_.find_exception(name))
        return fail(contract_.where(), "'{}' is not an exception of this component", name);
    made_.name = callee_.name;
    made_.shown = callee_.shown;
    made_.object = callee_.object;
    made_.made_by = callee_.made_by;
    made_.origin = Origin::Contract;
    made_.kind = ProcedureKind::Extern;
    made_.where = contract_.where();
    add_result_type();
    add_parameters();
    for (const Contract::Mention& mention : contract_.facts)
      known_[mention.variable] =
          site_.fact ? site_.fact(mention.parameter, made_.parameters[mention.parameter].term,
                                  mention.fact)
                     : nullptr;
    for (const Variable& local : contract_.body.locals) add_local(local);
    for (const Term clause : contract_.body.preconditions)
      if (const Term said = term(clause)) made_.preconditions.push_back(said);
    if (contract_.body.blocks.empty())
      add_clauses();
    else
      add_blocks();
    return std::move(made_);
  }

private:
  // Types.

  std::optional<Type> type_of(const Type& type) const {
    return Binding{contract_.type_parameters, site_.type_arguments, *contract_.home, module_}.bind(
        type);
  }

  /// The callee's, unless the contract says more.
  void add_result_type() {
    made_.returns = callee_.returns;
    if (!made_.returns || contract_.returns_any) return;
    const auto said = type_of(*contract_.body.returns);
    if (said && said->ranged() && said->sort == made_.returns->sort) made_.returns = said;
  }

  // Variables.

  void add_parameters() {
    for (std::size_t i = 0; i < callee_.parameters.size(); ++i) {
      const bool named = i < contract_.parameters.size();
      const std::string wanted = named ? contract_.parameters[i].name : "more" + std::to_string(i);
      const Type& type = callee_.parameters[i].type;
      const Term term = arena_.var(names_.take(wanted), type.sort);
      made_.parameters.push_back({term, type});
      if (!named) continue;
      const Term inner = contract_.body.parameters[i].term;
      // An enumerator is a number to a contract that wants one.
      const bool number = inner->sort->kind == SortKind::Int && type.sort->kind == SortKind::Enum;
      known_[inner] = number ? arena_.to_int(term) : term;
      if (!number || contract_.body.blocks.empty()) continue;
      const Term copy = new_local(wanted, Type{.sort = arena_.int_sort()});
      entry_.push_back({.kind = StatementKind::Assign, .target = copy, .value = known_[inner]});
      known_[inner] = copy;
    }
  }

  Term new_local(const std::string& wanted, const Type& type) {
    const Term term = arena_.var(names_.take(wanted), type.sort);
    made_.locals.push_back({term, type});
    return term;
  }

  void add_local(const Variable& local) {
    const auto type = type_of(local.type);
    known_[local.term] = type ? new_local(local.name(), *type) : nullptr;
  }

  // Terms; null stands for a value that is not known.

  Term term(Term from) {
    if (const auto found = known_.find(from); found != known_.end()) return found->second;
    return known_[from] = translate(from);
  }

  Term translate(Term from) {
    switch (from->op) {
    case Op::BoolConst: return arena_.boolean(from->number != 0);
    case Op::IntConst: return arena_.integer(from->number);
    case Op::RefConst: return arena_.reference(from->number);
    case Op::EnumConst: return constant(from);
    case Op::Var: {
      const StateVariable* state = module_.find_state(from->name);
      return state && state->term->sort == from->sort ? state->term : nullptr;
    }
    default: break;
    }
    std::vector<Term> args;
    for (const Term arg : from->args) {
      args.push_back(term(arg));
      if (!args.back()) return nullptr;
    }
    return well_sorted(*from, args) ? build(from, std::move(args)) : nullptr;
  }

  Term build(Term from, std::vector<Term> args) {
    if (from->op != Op::ConstMap) return arena_.rebuild(from, std::move(args));
    const Sort sort = map_sort(from->sort);
    return sort && sort->value == args[0]->sort ? arena_.const_map(sort, args[0]) : nullptr;
  }

  Sort map_sort(Sort sort) const {
    if (sort->kind != SortKind::Map) {
      const auto type = type_of(Type{.sort = sort});
      return type ? type->sort : nullptr;
    }
    const Sort key = map_sort(sort->key), value = map_sort(sort->value);
    return key && value && key->kind != SortKind::Map ? arena_.map_sort(key, value) : nullptr;
  }

  Term constant(Term from) const {
    if (from->sort == contract_.home->exception_sort) {
      const std::string& name =
          contract_.home->exceptions[static_cast<std::size_t>(from->number)].name;
      const auto index = module_.find_exception(name);
      return index ? arena_.enumerator(module_.exception_sort, *index) : nullptr;
    }
    const auto type = type_of(Type{.sort = from->sort});
    return type ? arena_.enumerator(type->sort, static_cast<std::size_t>(from->number)) : nullptr;
  }

  /// Where a type parameter or `any` stood there may be now what cannot be compared.
  static bool well_sorted(const TermNode& from, const std::vector<Term>& args) {
    switch (from.op) {
    case Op::Eq: return args[0]->sort == args[1]->sort;
    case Op::Ite: return args[1]->sort == args[2]->sort;
    case Op::Lt:
    case Op::Le:
      return args[0]->sort == args[1]->sort &&
             (args[0]->sort->kind == SortKind::Int || args[0]->sort->kind == SortKind::Enum);
    case Op::Select: return args[0]->sort->key == args[1]->sort;
    case Op::Store:
      return args[0]->sort->key == args[1]->sort && args[0]->sort->value == args[2]->sort;
    case Op::ToInt: return args[0]->sort->kind == SortKind::Enum;
    default: return true;
    }
  }

  // Statements.

  /// A local that holds what nobody knows.
  Term unknown(Block& block, const std::string& name, const Type& type) {
    const Term local = new_local(name, type);
    havoc(block, local, Chooser::Unknown);
    return local;
  }

  static void havoc(Block& block, Term target, Chooser chooser) {
    block.statements.push_back(
        {.kind = StatementKind::Havoc, .target = target, .chooser = chooser});
  }

  static void assign(Block& block, Term target, Term value, const Location& where) {
    block.statements.push_back(
        {.kind = StatementKind::Assign, .target = target, .value = value, .where = where});
  }

  /// To a variable, or to an element of a map.
  void store(Block& block, Term place, Term value, const Location& where) {
    while (place->op == Op::Select) {
      value = arena_.store(place->args[0], place->args[1], value);
      place = place->args[0];
    }
    assign(block, place, value, where);
  }

  Type type_at(Term place) const {
    if (place->op == Op::Select) {
      const Type map = type_at(place->args[0]);
      return map.value ? *map.value : Type{.sort = place->sort};
    }
    if (const StateVariable* state = module_.find_state(place->name)) return state->type;
    for (const auto* list : {&made_.parameters, &made_.locals})
      for (const Variable& v : *list)
        if (v.term == place) return v.type;
    return {.sort = place->sort};
  }

  void havoc_place(Block& block, Term place, Chooser chooser) {
    if (place->op == Op::Var) return havoc(block, place, chooser);
    const Term chosen = new_local("chosen", type_at(place));
    havoc(block, chosen, chooser);
    store(block, place, chosen, {});
  }

  void add_statement(Block& block, const Statement& s) {
    const Term target = s.target ? term(s.target) : nullptr;
    const Term value = s.value ? term(s.value) : nullptr;
    switch (s.kind) {
    case StatementKind::Assign:
      if (!target) return;
      if (value && value->sort == target->sort) return store(block, target, value, s.where);
      return havoc_place(block, target, Chooser::Unknown);
    case StatementKind::Assume: {
      // Whether the run goes on is not known where the condition is not.
      const Term holds = value ? value : unknown(block, "holds", Type{.sort = arena_.bool_sort()});
      block.statements.push_back({.kind = StatementKind::Assume, .value = holds, .where = s.where});
      return;
    }
    case StatementKind::Havoc:
      if (target) havoc_place(block, target, s.chooser);
      return;
    case StatementKind::New:
      if (target)
        block.statements.push_back(
            {.kind = StatementKind::New, .target = target, .record = s.record, .where = s.where});
      return;
    }
  }

  // Blocks.

  void add_blocks() {
    made_.blocks.resize(contract_.body.blocks.size());
    for (BlockId b = 0; b < contract_.body.blocks.size(); ++b) {
      const Block& from = contract_.body.blocks[b];
      Block block;
      if (b == 0) block.statements = entry_;
      for (const Statement& s : from.statements) add_statement(block, s);
      add_end(b, std::move(block), from.end);
    }
    tidy(made_);
  }

  void add_end(BlockId at, Block block, const Terminator& from) {
    Terminator end = from;
    switch (from.kind) {
    case TerminatorKind::Branch:
      end.value = term(from.value);
      if (!end.value) end.value = unknown(block, "which", Type{.sort = arena_.bool_sort()});
      break;
    case TerminatorKind::Return: end.value = returned(block, from); break;
    case TerminatorKind::Throw: end.value = term(from.value); break;
    case TerminatorKind::Call: return add_call(at, std::move(block), from);
    default: break;
    }
    block.end = std::move(end);
    made_.blocks[at] = std::move(block);
  }

  Term returned(Block& block, const Terminator& from) {
    if (!made_.returns) return nullptr;
    if (!from.value) { // nothing is said about it
      const Term any = new_local("any", *made_.returns);
      havoc(block, any, Chooser::Environment);
      return any;
    }
    const Term value = term(from.value);
    if (value && value->sort == made_.returns->sort) return value;
    return unknown(block, "result", *made_.returns);
  }

  /// Of a hook, or of what fails as the callee may fail.
  void add_call(BlockId at, Block block, const Terminator& from) {
    if (from.name == failing_call) {
      add_failures(at, std::move(block), callee_.throws, from.next);
      return;
    }
    const std::string hook = site_.hook ? site_.hook(from.name) : "";
    const Procedure* runs = hook.empty() ? nullptr : module_.find_procedure(hook);
    const Term result = from.result ? term(from.result) : nullptr;
    if (!runs) {
      if (result) havoc_place(block, result, Chooser::Unknown);
      block.end = {.kind = TerminatorKind::Goto, .next = from.next};
      made_.blocks[at] = std::move(block);
      return;
    }
    Terminator end = from;
    end.name = hook;
    end.result = runs->returns ? result : nullptr;
    end.arguments.clear();
    for (std::size_t i = 0; i < runs->parameters.size(); ++i) {
      const Type& type = runs->parameters[i].type;
      const Term value = i < from.arguments.size() ? term(from.arguments[i]) : nullptr;
      end.arguments.push_back(value && value->sort == type.sort ? value
                                                                : unknown(block, "handed", type));
    }
    std::erase_if(end.handlers, [&](const Handler& h) {
      return h.exception != "*" && !module_.find_exception(h.exception);
    });
    for (Handler& handler : end.handlers)
      if (handler.binder) handler.binder = term(handler.binder);
    block.end = std::move(end);
    made_.blocks[at] = std::move(block);
  }

  Terminator thrown(const std::string& name) const {
    const auto index = module_.find_exception(name);
    should(index.has_value(), "a callee should throw declared exceptions only");
    return {.kind = TerminatorKind::Throw,
            .value = arena_.enumerator(module_.exception_sort, *index),
            .environment = true,
            .where = contract_.where()};
  }

  /// One choice for each exception, then on to `next`.
  void add_failures(BlockId at, Block block, const std::vector<std::string>& throws, BlockId next) {
    const Term fails =
        throws.empty() ? nullptr : new_local("choice", Type{.sort = arena_.bool_sort()});
    for (const std::string& name : throws) {
      havoc(block, fails, Chooser::Environment);
      const auto bad = static_cast<BlockId>(made_.blocks.size());
      block.end = {.kind = TerminatorKind::Branch, .value = fails, .next = bad, .other = bad + 1};
      made_.blocks[at] = std::move(block);
      made_.blocks.push_back({{}, thrown(name)});
      made_.blocks.emplace_back();
      at = bad + 1;
      block = Block();
    }
    block.end = {.kind = TerminatorKind::Goto, .next = next};
    made_.blocks[at] = std::move(block);
  }

  // Clauses.

  void add_clauses() {
    if (made_.returns && contract_.body.returns)
      known_[contract_.home->arena->var("result", contract_.body.returns->sort)] =
          arena_.var("result", made_.returns->sort);
    std::vector<Term> ensures;
    for (const Term clause : contract_.body.ensures)
      if (const Term said = term(clause)) ensures.push_back(said);
    made_.throws = contract_.body.throws;
    for (const std::string& name : contract_.body.writes) add_write(name);
    if (contract_.attributes.contains(Attribute::Fresh) && made_.returns &&
        made_.returns->sort == arena_.ref_sort())
      return add_fresh(std::move(ensures));
    made_.ensures = std::move(ensures);
  }

  void add_write(const std::string& name) {
    Term place = nullptr;
    if (const StateVariable* state = module_.find_state(name)) place = state->term;
    for (const Contract::Mention& mention : contract_.facts)
      if (mention.variable->name == name) place = known_.at(mention.variable);
    while (place && place->op == Op::Select) place = place->args[0]; // the facts of all objects
    if (place) made_.writes.push_back(place->name);
  }

  void add_fresh(std::vector<Term> ensures) {
    const Term result = arena_.var("result", made_.returns->sort);
    ensures.push_back(arena_.ne(result, arena_.null()));
    if (site_.fresh_record.empty()) {
      made_.ensures = std::move(ensures);
      return;
    }
    const Term made = new_local("made", *made_.returns);
    Block first, last;
    for (const std::string& name : made_.writes)
      havoc(first, module_.find_state(name)->term, Chooser::Environment);
    last.statements.push_back(
        {.kind = StatementKind::New, .target = made, .record = site_.fresh_record});
    for (const Term clause : ensures)
      last.statements.push_back(
          {.kind = StatementKind::Assume, .value = substitute(arena_, clause, {{result, made}})});
    last.end = {.kind = TerminatorKind::Return, .value = made};
    made_.blocks = {{}, std::move(last)};
    add_failures(0, std::move(first), made_.throws, 1);
    made_.writes.clear();
    made_.throws.clear();
    tidy(made_);
  }

  const Contract& contract_;
  const Module& module_;
  TermArena& arena_;
  const Procedure& callee_;
  const ContractSite& site_;
  InstanceNames names_;
  Procedure made_;
  std::vector<Statement> entry_;         // before the first block
  std::unordered_map<Term, Term> known_; // of the template to those of the module
};

} // namespace

std::optional<Type> fact_type(const ClassFacts& facts, const KeptFact& fact, const Module& module,
                              const std::vector<std::optional<Type>>& type_arguments) {
  return Binding{facts.type_parameters, type_arguments, *facts.home, module}.bind(fact.type);
}

bool can_instantiate(const Contract& contract, const std::vector<Variable>& parameters,
                     const ContractSite& site) {
  if (!site.hook)
    for (const Block& block : contract.body.blocks)
      if (block.end.kind == TerminatorKind::Call && block.end.name != failing_call) return false;
  for (const Contract::Mention& mention : contract.facts) {
    const bool kept = std::ranges::any_of(contract.facts, [&](const Contract::Mention& other) {
      return other.parameter == mention.parameter && site.fact &&
             site.fact(other.parameter, parameters[other.parameter].term, other.fact) != nullptr;
    });
    if (!kept) return false;
  }
  return true;
}

Result<Procedure> instantiate(const Contract& contract, const Module& module,
                              const Procedure& callee, const ContractSite& site) {
  return Instance(contract, module, callee, site).run();
}

} // namespace tacit
