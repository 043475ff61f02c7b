// Objects of library classes about which contracts keep facts: what the component holds by value,
// objects on the stack, arguments, and texts that are spelled out.
//
// Facts about an object on the stack or an argument are variables of their own, as exact as those
// of the component's: nobody but the calls that get its address can change it. An object whose
// address goes anywhere else, or to a callee that may write it and has no contract for it, is not
// followed. What the client hands in is read once, on entry: `R.size[url]` is the size of the
// argument `url`.
#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

#include "base/should.h"
#include "frontend/llvm/body/function_lowering.h"
#include "frontend/llvm/facts/library.h"
#include "frontend/llvm/facts/shown_names.h"
#include "program/ir/defaults.h"
#include "program/ir/text_facts.h"

namespace tacit {

/// The facts about a library object in the state, made on first use.
std::vector<std::string> Lowering::ghosts(const std::string& object,
                                          const std::string& class_name) {
  std::vector<std::string> names;
  const ClassFacts* kept = facts_.library->all.facts(contract_class(*facts_.library, class_name));
  if (!kept) return names;
  std::vector<std::optional<Type>> arguments;
  if (!kept->type_parameters.empty())
    for (const std::string& name : template_arguments(class_name)) {
      const auto scalar = scalar_named(facts_, name);
      std::optional<Type> type;
      if (!compares_by_value(class_name))
        type = std::nullopt;
      else if (scalar)
        type = scalar_type(*scalar);
      else if (text_of(*facts_.library, name) && !borrows(*facts_.library, name))
        type = Type{.sort = arena().int_sort()};
      arguments.push_back(type);
    }
  for (const KeptFact& fact : kept->facts) {
    const auto type = fact_type(*kept, fact, module_, arguments);
    if (!type) continue;
    Term& known = fields_[{StateKey::Kind::Fact, object, fact.name}];
    if (!known) {
      StateVariable& made = add_state(object + "." + fact.name, *type);
      made.shown = shown_fact(object, fact.name);
      known = made.term;
      should(known->name == object + "." + fact.name, "a fact should be named after its object");
      // The constructors of global objects run before the component does.
      if (std::ranges::any_of(facts_.globals, [&](const auto& global) {
            return std::ranges::find(global.second.fields, object, &FieldFact::path) !=
                   global.second.fields.end();
          }))
        first_.push_back(
            {.kind = StatementKind::Havoc, .target = known, .chooser = Chooser::Unknown});
    }
    names.push_back(known->name);
  }
  contract_use_.keep(object, std::move(arguments));
  return names;
}

std::string Lowering::object_name(const std::string& wanted) {
  std::string name = wanted;
  for (int i = 2; !names_.insert(name).second; ++i) name = wanted + "." + std::to_string(i);
  return name;
}

/// As in Java, a text's number is its hash code, or what comes 2^32 later for every other text that
/// has the same.
Integer Lowering::text_number(const std::string& text) {
  const auto known = text_numbers_.find(text);
  if (known != text_numbers_.end()) return known->second;
  Integer number = text_hash(text);
  const auto taken = [&](const auto& entry) { return entry.second == number; };
  while ((number == 0 && !text.empty()) || std::ranges::any_of(text_numbers_, taken))
    number += Integer{1} << 32;
  return text_numbers_[text] = number;
}

Term Lowering::argument_fact(const std::string& class_name, const KeptFact& fact) {
  Term& known = fields_[{StateKey::Kind::Record, class_name, fact.name}];
  if (known) return known;
  const std::string name = declare_record(class_name);
  Type map{.sort = arena().map_sort(arena().ref_sort(), fact.type.sort)};
  map.key = std::make_shared<Type>(Type{.sort = arena().ref_sort(), .record = name});
  map.value = std::make_shared<Type>(fact.type);
  StateVariable variable;
  variable.term = arena().var(name + "." + fact.name, map.sort);
  variable.type = std::move(map);
  variable.record = name;
  names_.insert(variable.term->name);
  std::ranges::find(module_.records, name, &Record::name)
      ->fields.emplace_back(fact.name, fact.type);
  known = variable.term;
  module_.state.push_back(std::move(variable));
  return known;
}

void Lowering::open_text(const std::string& object) {
  if (open_texts_.insert(object).second) strayed_ = true;
}

void Lowering::unfollow(const llvm::Value& object) {
  if (unfollowed_.insert(&object).second) strayed_ = true;
}

/// Whether clients may have a way into the object or its variables that leads to an object of the
/// class: what a method returned, a public field, a variable that they can name.
bool Lowering::gives_object_of(const std::string& contract_class_name) const {
  const bool texts = text_of(*facts_.library, contract_class_name);
  const auto is_one = [&](const SourceType& type) {
    if (texts && (type.pointee == "char" || text_of(*facts_.library, type.name))) return true;
    return contract_class(*facts_.library, type.name) == contract_class_name;
  };
  const auto returned = [&](const Root& root) {
    const SourceType& type = root.fact->returns;
    return is_one(type) &&
           (type.kind == SourceType::Kind::Pointer || borrows(*facts_.library, type.name));
  };
  const auto can_be_named = [&](const FieldFact& field) {
    return field.is_public && field.type.kind == SourceType::Kind::Object && is_one(field.type);
  };
  return std::ranges::any_of(roots_, returned) ||
         (receiver_record() && std::ranges::any_of(receiver_record()->fields, can_be_named)) ||
         std::ranges::any_of(facts_.globals, [&](const auto& global) {
           return !global.second.is_const && !global.second.in_system_header &&
                  global.second.is_reachable &&
                  std::ranges::any_of(global.second.fields, can_be_named);
         });
}

/// What a client hands in to be read may be, or lie in, what it hands in to be written.
bool FunctionLowering::may_be_written_elsewhere(const llvm::Argument& argument) const {
  const SourceType& own = argument_types_.at(&argument);
  if (own.kind != SourceType::Kind::Pointer && !borrows(*lowering_.facts().library, own.name))
    return false;
  return fact_ && std::ranges::any_of(fact_->parameters, [&](const ParameterFact& other) {
           return other.name != argument.getName() &&
                  other.type.kind == SourceType::Kind::Pointer && !other.type.pointee_const &&
                  !other.type.is_function;
         });
}

std::optional<FunctionLowering::Followed>
FunctionLowering::followed(const llvm::Value* pointer, const std::string& class_name) {
  const Library& library = *lowering_.facts().library;
  const bool kept = !class_name.empty() && library.all.facts(contract_class(library, class_name));
  if (const auto text = kept ? literal(pointer) : std::nullopt) return Followed{.name = *text};
  if (const FieldFact* field = object_field(pointer)) {
    if (!same_facts(library, field->type.name, class_name) ||
        lowering_.ghosts(field->path, field->type.name).empty())
      return std::nullopt;
    return Followed{field->path, field->type.name};
  }
  if (!kept) return std::nullopt;
  const auto* argument = llvm::dyn_cast<llvm::Argument>(pointer);
  const bool handed_in =
      argument && !argument->hasStructRetAttr() && argument_types_.contains(argument) &&
      (procedure_.kind == ProcedureKind::Method || procedure_.kind == ProcedureKind::Constructor);
  if (!handed_in)
    if (const auto part = text_in_object(pointer, class_name)) return part;
  if (!handed_in && !llvm::isa<llvm::AllocaInst>(pointer)) return std::nullopt;
  if (lowering_.unfollowed(*pointer) || !stays_in_calls(*pointer) ||
      (handed_in && may_be_other(*argument, class_name)))
    return std::nullopt;
  const std::string name = follow_local(*pointer, class_name);
  if (name.empty()) return std::nullopt;
  return Followed{name, class_name, pointer};
}

/// The name of the object, its facts being declared; empty when there are none.
std::string FunctionLowering::follow_local(const llvm::Value& object,
                                           const std::string& class_name) {
  const std::string known_as = contract_class(*lowering_.facts().library, class_name);
  const auto [found, fresh] = objects_.try_emplace({&object, known_as});
  if (!fresh) return found->second;
  const std::string name =
      lowering_.object_name(std::string(bare_name(procedure_.name)) + "." + name_of(object));
  if (lowering_.ghosts(name, class_name).empty()) return "";
  found->second = name;
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&object))
    read_argument(*argument, name, class_name);
  return name;
}

void FunctionLowering::read_argument(const llvm::Argument& argument, const std::string& name,
                                     const std::string& class_name) {
  const Library& library = *lowering_.facts().library;
  const std::string known_as = contract_class(library, class_name);
  const Term reference = held_.at(&argument).term;
  const auto parameter = std::ranges::find(procedure_.parameters, reference, &Variable::term);
  if (parameter == procedure_.parameters.end()) return;
  std::vector<Statement> made;
  for (const KeptFact& fact : library.all.facts(known_as)->facts) {
    const StateVariable* kept = module_.find_state(name + "." + fact.name);
    if (!kept) continue;
    const Term target = kept->term;
    const Type type = kept->type;
    if (type.sort->kind == SortKind::Map || type.sort->kind == SortKind::Ref) {
      // Where it leads is the client's choice.
      const bool leads = type.sort->kind == SortKind::Ref;
      made.push_back({.kind = StatementKind::Havoc,
                      .target = target,
                      .chooser = leads ? Chooser::Environment : Chooser::Unknown});
      if (leads)
        made.push_back({.kind = StatementKind::Assume, .value = arena_.ne(target, arena_.null())});
      continue;
    }
    const Term map = lowering_.argument_fact(known_as, {fact.name, type});
    made.push_back(
        {.kind = StatementKind::Assign, .target = target, .value = arena_.select(map, reference)});
  }
  parameter->type.record = lowering_.declare_record(known_as);
  if (lowering_.gives_object_of(known_as))
    lowering_.assume("references that clients hand in do not lead into the object itself");
  if (may_be_written_elsewhere(argument))
    lowering_.assume(
        "what clients hand in to be read is apart from what they hand in to be written");
  // Behind what is assumed of the arguments, which says which of them are taken at all.
  auto& statements = procedure_.blocks[0].statements;
  const auto at =
      std::find_if(after_choices(statements), statements.end(), [](const Statement& statement) {
        return statement.kind != StatementKind::Assume;
      });
  statements.insert(at, made.begin(), made.end());
}

/// A text that the source spells out: its facts are numbers.
std::optional<std::string> FunctionLowering::literal(const llvm::Value* pointer) {
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(pointer);
  const auto text = global ? constant_text(*global) : std::nullopt;
  if (!text) return std::nullopt;
  const std::string name = "\"" + *text + "\"";
  lowering_.contract_use().keep(
      name, std::map<std::string, Integer>{{"size", static_cast<Integer>(text->size())},
                                           {"text", lowering_.text_number(*text)}});
  return name;
}

namespace {

/// Reads what a pointer leads to, or steps on to read from there.
bool is_look(const llvm::User& user, const llvm::Value& pointer,
             std::set<const llvm::Value*>& seen) {
  if (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::ICmpInst>(user)) return true;
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&user))
    return copy->getRawDest() != &pointer;
  if (!llvm::isa<llvm::GetElementPtrInst>(user) && !llvm::isa<llvm::PHINode>(user)) return false;
  if (!seen.insert(&user).second) return true;
  return std::ranges::all_of(user.users(),
                             [&](const llvm::User* next) { return is_look(*next, user, seen); });
}

/// Nobody asks for more than whether it is zero.
bool only_compared_with_zero(const llvm::Value& value) {
  return std::ranges::all_of(value.users(), [](const llvm::User* user) {
    if (llvm::isa<llvm::SExtInst>(user) || llvm::isa<llvm::ZExtInst>(user))
      return only_compared_with_zero(*user);
    const auto* test = llvm::dyn_cast<llvm::ICmpInst>(user);
    const auto* with = test ? llvm::dyn_cast<llvm::Constant>(test->getOperand(1)) : nullptr;
    return with && test->isEquality() && with->isNullValue();
  });
}

} // namespace

/// The first character of a text that a client hands in: it is the zero where the text is empty.
std::optional<Held> FunctionLowering::first_character(const llvm::Value* pointer,
                                                      const llvm::Type* type) {
  const auto* argument = llvm::dyn_cast<llvm::Argument>(pointer);
  const auto known = argument ? argument_types_.find(argument) : argument_types_.end();
  if (!type->isIntegerTy(8) || known == argument_types_.end() || !known->second.pointee_const ||
      known->second.pointee != "char")
    return std::nullopt;
  const auto text = followed(pointer, "char");
  const StateVariable* size = text ? module_.find_state(text->name + ".size") : nullptr;
  if (!size) return std::nullopt;
  const Term length = size->term;
  const Term zero = arena_.integer(0);
  if (at_ && only_compared_with_zero(*at_))
    return number(arena_.ite(arena_.eq(length, zero), zero, arena_.integer(1)), Sign::Either);
  const Held first = unknown(type, pointer->getName().str() + "_first");
  assume_true(arena_.eq(arena_.eq(first.term, zero), arena_.eq(length, zero)));
  return first;
}

/// Whether nothing but calls of opaque functions gets to the object.
bool FunctionLowering::stays_in_calls(const llvm::Value& object) const {
  // Nobody writes what is constant here: who looks at its bytes changes nothing, nor does whoever a
  // reference is handed on to.
  const auto* argument = llvm::dyn_cast<llvm::Argument>(&object);
  const auto type = argument ? argument_types_.find(argument) : argument_types_.end();
  const bool constant = type != argument_types_.end() && type->second.pointee_const;
  const bool handed_on = constant && type->second.is_reference;
  return std::ranges::all_of(object.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::ICmpInst>(user)) return true;
    std::set<const llvm::Value*> seen;
    if (constant && is_look(*user, object, seen)) return true;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || llvm::isa<llvm::MemIntrinsic>(call)) return false;
    if (llvm::isa<llvm::IntrinsicInst>(call) || handed_on) return true;
    const llvm::Function* callee = call->getCalledFunction();
    return callee && !lowering_.looks_into(*callee);
  });
}

/// Whether another argument may be the same object, and one of the two is written.
bool FunctionLowering::may_be_other(const llvm::Argument& argument,
                                    const std::string& class_name) const {
  const SourceType& own = argument_types_.at(&argument);
  const auto is_reference = [](const SourceType& type) {
    return type.kind == SourceType::Kind::Pointer;
  };
  if (!fact_) return true;
  const Library& library = *lowering_.facts().library;
  std::size_t same = 0;
  bool written = false, by_value = false;
  for (const ParameterFact& parameter : fact_->parameters) {
    if (contract_class(library, parameter.type.name) != contract_class(library, class_name))
      continue;
    if (parameter.name == argument.getName() && !is_reference(parameter.type)) by_value = true;
    if (!is_reference(parameter.type)) continue;
    ++same;
    written = written || !parameter.type.pointee_const;
  }
  return is_reference(own) && !by_value && same > 1 && written;
}

FunctionLowering::LibraryCall
FunctionLowering::as_contracts_see(const llvm::CallBase& call, const FunctionFact* fact,
                                   const std::string& shown, std::vector<Variable> parameters,
                                   const std::vector<Handed>& handed,
                                   const std::optional<Type>& returns) {
  LibraryCall made;
  made.call = {.function = shown, .parameters = std::move(parameters), .returns = returns};
  const Library& library = *lowering_.facts().library;
  const auto class_of = [](const Handed& one) -> std::string {
    if (!one.object_class.empty()) return one.object_class;
    return one.declared ? class_behind(*one.declared) : "";
  };
  for (const Handed& one : handed) {
    const std::string name = one.value ? class_of(one) : "";
    const auto object = one.value && fact ? followed(one.value, name) : std::nullopt;
    made.objects.push_back(object.value_or(Followed{}));
    made.call.objects.push_back(made.objects.back().name);
    made.call.classes.push_back(contract_class(library, name));
    made.read_only.push_back(one.read_only);
    made.moved.push_back(one.declared && one.declared->is_rvalue);
  }
  const ContractUse& contracts = lowering_.contract_use();
  const llvm::Value* result = nullptr;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.paramHasAttr(i, llvm::Attribute::StructRet)) result = call.getArgOperand(i);
  if (result && fact && fact->returns.kind == SourceType::Kind::Object) {
    const auto object = followed(result, fact->returns.name);
    LibraryCall with = made;
    with.makes = true;
    with.objects.insert(with.objects.begin(), object.value_or(Followed{}));
    with.read_only.insert(with.read_only.begin(), false);
    with.moved.insert(with.moved.begin(), true);
    with.call.objects.insert(with.call.objects.begin(), with.objects[0].name);
    with.call.classes.insert(with.call.classes.begin(),
                             contract_class(library, fact->returns.name));
    std::set<std::string> used;
    for (const Variable& parameter : with.call.parameters) used.insert(parameter.name());
    const Type type{.sort = arena_.ref_sort()};
    with.call.parameters.insert(
        with.call.parameters.begin(),
        {arena_.var(lowering_.local_name(std::string(made_object), used), type.sort), type});
    if (contracts.makes(module_, with.call))
      made = std::move(with);
    else if (object)
      for (const std::string& ghost : lowering_.ghosts(object->name, object->class_name))
        havoc(module_.find_state(ghost)->term, Chooser::Unknown);
  }
  std::size_t hidden = 0;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.paramHasAttr(i, llvm::Attribute::StructRet)) ++hidden;
  if (fact && !made.makes)
    if (const std::string from = origin(call, hidden + 1); !from.empty()) {
      ContractCall with = made.call;
      with.function = contract_key(shown, from);
      if (contracts.tells(module_, with)) {
        made.call = std::move(with);
        made.made_by = from;
      }
    }
  if (fact) ask_contracts(made, handed, call);
  made.forwards = library.all.has(Attribute::Forwards, shown);
  return made;
}

/// What a reference to a scalar leads to, or the first part of a pair: a key.
std::optional<SourceType> FunctionLowering::value_behind(const Handed& handed) const {
  if (!handed.value || !handed.declared || !handed.object_class.empty() ||
      handed.declared->kind != SourceType::Kind::Pointer || !handed.declared->is_reference)
    return std::nullopt;
  std::string name = handed.declared->name;
  if (name.empty()) name = handed.declared->pointee;
  if (name.starts_with("std::pair<")) {
    const auto arguments = template_arguments(name);
    name = arguments.empty() ? "" : arguments[0];
    if (name.starts_with("const ")) name.erase(0, 6);
  }
  return scalar_named(lowering_.facts(), name);
}

/// Keys that are texts, by parameter: what they say, null where that is not followed.
std::map<std::size_t, Term> FunctionLowering::texts_behind(const LibraryCall& library,
                                                           const std::vector<Handed>& handed) {
  const Library& known = *lowering_.facts().library;
  std::map<std::size_t, Term> found;
  if (handed.empty() || handed[0].object_class.empty() || library.makes) return found;
  const ClassFacts* kept = known.all.facts(contract_class(known, handed[0].object_class));
  if (!kept || kept->type_parameters.empty()) return found;
  for (std::size_t i = 1; i < handed.size(); ++i) {
    if (!handed[i].declared || !handed[i].value ||
        !text_of(known, class_behind(*handed[i].declared)))
      continue;
    const StateVariable* text = library.objects[i].class_name.empty()
                                    ? nullptr
                                    : module_.find_state(library.objects[i].name + "." + "text");
    found[i] = text ? text->term : nullptr;
  }
  return found;
}

/// Contracts that want values where references are handed over go first.
void FunctionLowering::ask_contracts(LibraryCall& library, const std::vector<Handed>& handed,
                                     const llvm::CallBase& call) {
  const ContractUse& contracts = lowering_.contract_use();
  const auto followed_any =
      std::ranges::any_of(library.call.objects, [](const auto& o) { return !o.empty(); });
  if (!library.makes && !followed_any) return;
  const auto* pair = llvm::dyn_cast<llvm::StructType>(call.getType());
  const bool has_second = pair && pair->getNumElements() == 2 &&
                          pair->getElementType(0)->isPointerTy() &&
                          pair->getElementType(1)->isIntegerTy(8);
  const std::size_t first = library.makes ? 1 : 0;
  ContractCall with = library.call;
  std::vector<std::pair<std::size_t, SourceType>> wanted;
  for (std::size_t i = 0; i < handed.size(); ++i)
    if (const auto type = value_behind(handed[i])) {
      wanted.emplace_back(i, *type);
      with.parameters[first + i].type = lowering_.scalar_type(*type);
      with.parameters[first + i].term =
          arena_.var(with.parameters[first + i].name(), with.parameters[first + i].type.sort);
    }
  const auto texts = texts_behind(library, handed);
  for (const auto& [i, term] : texts) {
    with.parameters[i].type = Type{.sort = arena_.int_sort()};
    with.parameters[i].term = arena_.var(with.parameters[i].name(), arena_.int_sort());
  }
  if (has_second && !with.returns) with.returns = Type{.sort = arena_.bool_sort()};
  const auto usable = [&](const ContractCall& as) {
    return contracts.makes(module_, as) == library.makes ? contracts.tells(module_, as)
                                                         : std::nullopt;
  };
  if (!wanted.empty() || !texts.empty() || has_second)
    if (const auto spoken = usable(with)) {
      library.spoken = spoken;
      library.says_text = contracts.speaks_of(module_, with, "text");
      library.second = has_second && !library.call.returns;
      library.call = std::move(with);
      for (const auto& [i, type] : wanted) {
        llvm::Type* as = llvm::IntegerType::get(call.getContext(), std::max(8U, type.bits));
        if (type.kind == SourceType::Kind::Pointer) as = llvm::PointerType::get(as, 0);
        const auto cell = to_cell(read(handed[i].value, as, "key"), type);
        Term value = cell ? *cell : nullptr;
        if (!value || value->sort != library.call.parameters[first + i].type.sort) {
          value = local("key", library.call.parameters[first + i].type);
          havoc(value, Chooser::Unknown);
        }
        library.values[first + i] = value;
      }
      for (const auto& [i, term] : texts) {
        library.values[i] = term ? term : local("key", Type{.sort = arena_.int_sort()});
        if (!term) havoc(library.values[i], Chooser::Unknown);
      }
      return;
    }
  library.spoken = usable(library.call);
  library.says_text = contracts.speaks_of(module_, library.call, "text");
}

/// What a contract speaks of is written as it says; the rest may be anything afterwards.
void FunctionLowering::spare_spoken(const LibraryCall& library, std::set<std::string>& writes) {
  for (std::size_t i = 0; i < library.objects.size(); ++i) {
    const Followed& object = library.objects[i];
    if (object.class_name.empty()) continue;
    const auto facts = lowering_.ghosts(object.name, object.class_name);
    if (library.spoken && library.spoken->contains(i)) {
      for (const std::string& ghost : facts) writes.erase(ghost);
    } else if (!library.read_only[i] && !(library.spoken && library.forwards)) {
      writes.insert(facts.begin(), facts.end());
      if (object.object && !library.moved[i]) lowering_.unfollow(*object.object);
    }
  }
}

/// What strings say after a call that may write them and whose contract does not tell.
void FunctionLowering::forget_texts(const LibraryCall& library) {
  if (!library.spoken) return;
  for (std::size_t i = 0; i < library.objects.size(); ++i) {
    const Followed& object = library.objects[i];
    if (object.class_name.empty() || library.read_only[i] || library.says_text.contains(i) ||
        !text_of(*lowering_.facts().library, object.class_name))
      continue;
    forget_text(object.name);
  }
}

/// A container, string or pointer that another of its class is made from by moving is empty; what
/// else may have been moved from is not known any more.
void FunctionLowering::end_moved(const LibraryCall& library, const FunctionFact& callee) {
  const Library& known = *lowering_.facts().library;
  const bool takes_all = callee.is_constructor || callee.name == "operator=";
  for (std::size_t i = 0; i < library.objects.size(); ++i) {
    const Followed& object = library.objects[i];
    if (object.class_name.empty() || !library.moved[i] || (library.makes && i == 0)) continue;
    const bool itself = i > 0 && library.objects[0].name == object.name;
    const bool emptied =
        takes_all && !itself && is_closed(known, object.class_name) &&
        contract_class(known, callee.in_class) == contract_class(known, object.class_name);
    for (const std::string& ghost : lowering_.ghosts(object.name, object.class_name)) {
      const StateVariable* fact = module_.find_state(ghost);
      if (emptied && fact->type.sort->kind != SortKind::Ref)
        assign(fact->term, default_term(arena_, fact->type));
      else
        havoc(fact->term, Chooser::Unknown);
    }
  }
}

} // namespace tacit
