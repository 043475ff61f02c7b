#include "frontend/llvm/module/lowering.h"

#include <algorithm>
#include <filesystem>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "base/should.h"
#include "frontend/llvm/facts/library.h"
#include "frontend/llvm/facts/shown_names.h"
#include "frontend/llvm/prepare/truths.h"
#include "logic/term/parse.h"
#include "program/graph/effects.h"
#include "program/ir/names.h"
#include "program/ir/reals.h"
#include "program/ir/verify.h"

namespace tacit {

namespace {

constexpr int most_rounds = 300;
/// What the names of addresses start with; no name of a local may.
constexpr std::string_view address_prefix = "address.";
constexpr std::string_view local_prefix = "local.";

/// The last component outside template arguments: `ns::Node<a::b>` is `Node<a::b>`.
std::string short_name(const std::string& name) {
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (depth == 0 && name[i] == ':' && name[i + 1] == ':') start = i + 2;
  }
  return name.substr(start);
}

/// `struct.node.12` is `node`.
std::string struct_name(llvm::StringRef name) {
  for (const char* prefix : {"struct.", "class.", "union."})
    if (name.starts_with(prefix)) name = name.drop_front(llvm::StringRef(prefix).size());
  while (true) {
    const auto dot = name.rfind('.');
    if (dot == llvm::StringRef::npos) break;
    const llvm::StringRef tail = name.substr(dot + 1);
    if (tail != "base" && tail.find_first_not_of("0123456789") != llvm::StringRef::npos) break;
    name = name.take_front(dot);
  }
  return name.str();
}

} // namespace

Lowering::Lowering(const llvm::Module& code, const SourceFacts& facts, const LlvmOptions& options,
                   const BodyMaker& bodies)
    : code_(code), facts_(facts), options_(options), bodies_(bodies), callbacks_(code, facts) {}

Result<Module> Lowering::run() {
  find_early_code();
  escape_initialisers();
  for (int i = 0; i < most_rounds; ++i) {
    try {
      return round();
    } catch (const LowerAgain&) {
      continue;
    }
  }
  return fail("lowering does not settle");
}

Result<Module> Lowering::round() {
  module_ = {};
  escaped_.clear();
  roots_.clear();
  caught_.clear();
  names_.clear();
  enum_sorts_.clear();
  fields_.clear();
  callees_.clear();
  internals_.clear();
  pending_.clear();
  reaching_.clear();
  runners_.clear();
  strayed_ = false;
  elements_.clear();
  summarised_.clear();
  lent_.clear();
  lent_records_ = {};
  lent_insides_.clear();
  contract_use_ = ContractUse(*facts_.library);
  first_.clear();
  receiver_ = nullptr;
  node_records_.reset();
  receiver_address_ = nullptr;
  freed_ = nullptr;
  module_.set_language(facts_.language);
  declare_exceptions();
  if (auto chosen = choose_roots(); !chosen) return std::unexpected(chosen.error());
  module_.name = component_;
  find_pointers();
  reserve_names();
  for (const std::string& note : facts_.notes) assume(note);
  for (const auto& [call, reason] : facts_.left_out) module_.leave_out(call, reason);
  for (const std::string& note : kept_notes_) assume(note);
  for (const auto& [key, place] : escaped_places_) {
    if (place.global && on_heap(*place.global)) continue;
    const Term variable =
        place.global ? global_field(*place.global, place.field) : receiver_field(place.field);
    escaped_[variable] = place.field;
  }
  std::vector<std::vector<Receiver>> bound;
  for (const Root& root : roots_) {
    Procedure procedure;
    procedure.kind = root.kind;
    procedure.name = root.name;
    std::vector<Receiver> receivers(root.function ? root.function->arg_size() : 0, Receiver::None);
    if (receiver_ && !receivers.empty()) {
      std::size_t first = 0;
      if (root.function->getArg(0)->hasStructRetAttr()) first = 1;
      if (first < receivers.size()) receivers[first] = Receiver::Object;
    }
    module_.procedures.push_back(std::move(procedure));
    bound.push_back(std::move(receivers));
  }
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    Procedure made = module_.procedures[i];
    if (roots_[i].function) {
      bodies_.lower(*this, *roots_[i].function, made, bound[i]);
    } else {
      made.blocks.push_back({{}, {.kind = TerminatorKind::Return}});
    }
    module_.procedures[i] = std::move(made);
  }
  lower_pending();
  if (strayed_) throw LowerAgain();
  set_up();
  if (auto finished = finish(); !finished) return std::unexpected(finished.error());
  const auto problems = verify(module_);
  if (!problems.empty()) return std::unexpected(problems.front());
  for (const auto& [text, number] : text_numbers_) module_.add_literal(text, number);
  return std::move(module_);
}

// Facts.

bool Lowering::gives_truth(const llvm::Function* function) {
  if (!function || function->isDeclaration() || !function->getReturnType()->isIntegerTy())
    return false;
  const auto [known, fresh] = truths_.try_emplace(function, false); // what recursion sees
  if (!fresh) return known->second;
  const Truths truths(
      *function, [](const llvm::LoadInst&) { return false; },
      [&](const llvm::CallBase& call) { return gives_truth(call.getCalledFunction()); });
  const bool all = std::ranges::all_of(*function, [&](const llvm::BasicBlock& block) {
    const auto* result = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    return !result || truths.contains(result->getReturnValue());
  });
  return truths_[function] = all;
}

const FunctionFact* Lowering::fact(const llvm::Function& function) const {
  std::string symbol = function.getName().str();
  auto found = facts_.functions.find(symbol);
  if (found == facts_.functions.end()) {
    const auto dot = symbol.rfind('.');
    if (dot != std::string::npos) found = facts_.functions.find(symbol.substr(0, dot));
  }
  return found == facts_.functions.end() ? nullptr : &found->second;
}

std::int64_t Lowering::receiver_offset(const llvm::Function& function) const {
  const FunctionFact* known = fact(function);
  if (!known || !known->is_instance) return 0;
  const auto found = facts_.base_offsets.find(known->in_class);
  return found == facts_.base_offsets.end() ? 0 : found->second;
}

void Lowering::assume(std::string text) { module_.assume(std::move(text)); }

void Lowering::assume(std::string text, const Location& where) {
  assume(where.known() ? text + " at " + to_string(where) : text);
}

const RecordFact* Lowering::record(const std::string& name) const {
  const auto found = facts_.records.find(name);
  return found == facts_.records.end() || found->second.fields.empty() ? nullptr : &found->second;
}

const RecordFact* Lowering::record_of(const llvm::Type* type) const {
  const auto* structure = llvm::dyn_cast_or_null<llvm::StructType>(type);
  if (!structure || !structure->hasName()) return nullptr;
  const std::string name = struct_name(structure->getName());
  if (receiver_ && (name == receiver_->name || receiver_->name.starts_with(name + "<")))
    return receiver_;
  if (const RecordFact* exact = record(name)) return exact;
  const RecordFact* only = nullptr;
  for (const auto& [key, candidate] : facts_.records) {
    if (!key.starts_with(name + "<") || candidate.fields.empty()) continue;
    if (only) return nullptr;
    only = &candidate;
  }
  return only;
}

const GlobalFact* Lowering::global(const llvm::GlobalVariable& variable) const {
  const auto found = facts_.globals.find(variable.getName().str());
  return found == facts_.globals.end() ? nullptr : &found->second;
}

// Types and names.

std::string Lowering::variable_name(const std::string& wanted) {
  std::string name;
  for (const char c : wanted)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
                    c == '~' || c == '&'
                ? c
                : '_';
  const auto taken = [&](const std::string& text) {
    if (names_.contains(text)) return true;
    for (const Exception& e : module_.exceptions)
      if (e.name == text) return true;
    for (const auto& [key, fact] : facts_.enums)
      for (const auto& [enumerator, value] : fact.values)
        if (enumerator == text) return true;
    return false;
  };
  std::string candidate = name;
  for (int i = 2; taken(candidate); ++i) candidate = name + "_" + std::to_string(i);
  names_.insert(candidate);
  return candidate;
}

void Lowering::reserve_names() {
  reserved_ = {"this", "handle", "result", "vtable"};
  for (const auto& [key, fact] : facts_.enums)
    for (const auto& [enumerator, value] : fact.values) reserved_.insert(enumerator);
  for (const Exception& e : module_.exceptions) reserved_.insert(e.name);
  if (receiver_)
    for (const FieldFact& field : receiver_->fields) reserved_.insert(field.path);
  for (const auto& [symbol, fact] : facts_.globals)
    for (const FieldFact& field : fact.fields) reserved_.insert(field.path);
  for (const auto& [name, record_fact] : facts_.records)
    for (const FieldFact& field : record_fact.fields) {
      // With the name that a map gets when a field of the receiver has the same path.
      for (const std::string& path :
           {name + "." + field.path, short_name(name) + "." + field.path}) {
        reserved_.insert(path);
        reserved_.insert(path + "_");
      }
    }
}

std::string Lowering::free_name(const std::string& wanted) const {
  std::string name;
  for (const char c : wanted)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ? c : '_';
  if (name.starts_with(address_prefix)) name[address_prefix.size() - 1] = '_';
  while (reserved_.contains(name)) name += "_";
  return name;
}

std::string Lowering::local_name(const std::string& wanted, std::set<std::string>& used) const {
  const std::string base = free_name(wanted);
  std::string name = base;
  for (int i = 2; used.contains(name); ++i) name = free_name(base + "_" + std::to_string(i));
  used.insert(name);
  return name;
}

Sort Lowering::enum_sort(const std::string& name) {
  if (open_enums_.contains(name)) return nullptr;
  if (const auto found = enum_sorts_.find(name); found != enum_sorts_.end()) return found->second;
  const auto fact = facts_.enums.find(name);
  if (fact == facts_.enums.end() || fact->second.values.size() > 64) return nullptr;
  EnumDecl decl;
  decl.name = short_name(name);
  for (const auto& [other, sort] : enum_sorts_)
    if (sort->decl->name == decl.name) decl.name = name;
  if (decl.name == "exception") decl.name += "_"; // which is a type already
  names_.insert(decl.name);
  std::set<std::int64_t> seen;
  for (const auto& [enumerator, value] : fact->second.values)
    if (seen.insert(value).second) decl.values.push_back({enumerator, value});
  const Sort sort = arena().enum_sort(std::move(decl));
  module_.enums.push_back(sort);
  enum_sorts_[name] = sort;
  return sort;
}

Type Lowering::scalar_type(const SourceType& type) {
  switch (type.kind) {
  case SourceType::Kind::Bool: return {.sort = arena().bool_sort()};
  case SourceType::Kind::Enumeration:
    if (const Sort sort = enum_sort(type.name)) return {.sort = sort};
    [[fallthrough]];
  case SourceType::Kind::Number: {
    if (type.is_real) return real_type(arena().int_sort());
    Type made{.sort = arena().int_sort()};
    const unsigned bits = std::min(type.bits, 64U);
    if (bits == 0) return made;
    made.low = type.is_signed ? -(Integer{1} << (bits - 1)) : Integer{0};
    made.high = (Integer{1} << (type.is_signed ? bits - 1 : bits)) - 1;
    return made;
  }
  case SourceType::Kind::Pointer: {
    Type made{.sort = arena().ref_sort()};
    if (const RecordFact* pointee = record(type.name)) made.record = declare_record(pointee->name);
    return made;
  }
  default: return {.sort = arena().int_sort()};
  }
}

std::string Lowering::declare_record(const std::string& qualified) {
  if (const auto found = record_names_.find(qualified);
      found != record_names_.end() && std::ranges::any_of(module_.records, [&](const Record& r) {
        return r.name == found->second;
      }))
    return found->second;
  std::string name = short_name(qualified);
  const auto taken = [&](const std::string& text) {
    return names_.contains(text) ||
           std::ranges::any_of(module_.records, [&](const Record& r) { return r.name == text; });
  };
  if (taken(name)) name = qualified;
  while (taken(name)) name += "_";
  names_.insert(name);
  record_names_[qualified] = name;
  module_.records.push_back({name, {}});
  return name;
}

Type Lowering::field_type(const FieldFact& field) {
  Type element = scalar_type(field.type);
  if (field.count == 0) return element;
  Type map{.sort = arena().map_sort(arena().int_sort(), element.sort)};
  map.key = std::make_shared<Type>(Type{.sort = arena().int_sort(),
                                        .low = Integer{0},
                                        .high = static_cast<Integer>(field.count) - 1});
  map.value = std::make_shared<Type>(std::move(element));
  return map;
}

// Exceptions.

std::string Lowering::exception_name(const llvm::Value* type_info) const {
  std::string name = llvm::demangle(type_info->stripPointerCasts()->getName().str());
  for (const std::string_view prefix : {"typeinfo for "})
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  for (const std::string_view inner : {"__cxx11::", "__1::"})
    while (name.find(inner) != std::string::npos) name.erase(name.find(inner), inner.size());
  return name;
}

void Lowering::declare_exceptions() {
  std::set<std::string> names;
  if (facts_.language == "cpp") {
    for (const llvm::Function& function : code_) {
      if (!is_looked_into(function)) continue;
      for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block) {
          if (const auto* pad = llvm::dyn_cast<llvm::LandingPadInst>(&instruction)) {
            for (unsigned i = 0; i < pad->getNumClauses(); ++i)
              if (pad->isCatch(i) && !llvm::isa<llvm::ConstantPointerNull>(pad->getClause(i))) {
                caught_.insert(exception_name(pad->getClause(i)));
                names.insert(exception_name(pad->getClause(i)));
              }
          }
          const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
          if (!callee) continue;
          if (callee->getName() == "__cxa_throw")
            names.insert(exception_name(call->getArgOperand(1)));
          if (const auto thrown =
                  raised_by(*facts_.library, llvm::demangle(callee->getName().str())))
            names.insert(*thrown);
        }
    }
    for (const llvm::Function& function : code_)
      if (const FunctionFact* known = fact(function);
          known && (known->in_system_header || known->outranked))
        for (const std::string& name : exceptions_of(*facts_.library, *known)) names.insert(name);
    names.insert(foreign_exception);
  }
  if (calls_any(Attribute::Jumps) && !jumps_within()) names.insert(jump_exception);
  for (const std::string& name : std::set(names))
    if (!name.ends_with('*'))
      for (const std::string& base : caught_as(name)) names.insert(base);
  EnumDecl decl{"exception", {}};
  for (const std::string& name : names) {
    decl.values.push_back({name, static_cast<Integer>(module_.exceptions.size())});
    module_.exceptions.push_back(exception_kinds(name, names));
  }
  if (!decl.values.empty()) module_.exception_sort = arena().enum_sort(std::move(decl));
}

/// The types by which a handler catches an exception, besides its own.
std::vector<std::string> Lowering::caught_as(const std::string& name) const {
  std::vector<std::string> found;
  if (name.ends_with('*')) {
    // A pointer is caught as one to a base, to more constant objects, or to nothing in particular.
    constexpr std::string_view constant = " const";
    std::string to = name.substr(0, name.size() - 1);
    const bool is_const = to.ends_with(constant);
    if (is_const) to.resize(to.size() - constant.size());
    std::vector<std::string> targets{to};
    for (const std::string& base : caught_as(to)) targets.push_back(base);
    targets.emplace_back("void");
    for (const std::string& target : targets) {
      if (!is_const && target != to) found.push_back(target + "*");
      if (!is_const || target != to) found.push_back(target + std::string(constant) + "*");
    }
    return found;
  }
  if (const auto known = facts_.caught_as.find(name); known != facts_.caught_as.end())
    return known->second;
  for (std::string at = facts_.library->all.parent(name); !at.empty();
       at = facts_.library->all.parent(at))
    found.push_back(at);
  return found;
}

/// As its parent the base that brings the most with it, all of which has to be true of the
/// exception: what is reached by two ways is not caught.
Exception Lowering::exception_kinds(const std::string& name,
                                    const std::set<std::string>& names) const {
  const auto kinds_of = [&](const std::string& of) {
    std::vector<std::string> kinds = caught_as(of);
    // The null pointer is one to anything.
    if (of == "std::nullptr_t")
      std::ranges::copy_if(names, std::back_inserter(kinds),
                           [](const std::string& other) { return other.ends_with('*'); });
    std::erase_if(kinds, [&](const std::string& kind) { return !names.contains(kind); });
    return kinds;
  };
  const std::vector<std::string> kinds = kinds_of(name);
  Exception made{name, "", {}};
  std::vector<std::string> implied;
  for (const std::string& kind : kinds) {
    const std::vector<std::string> more = kinds_of(kind);
    const bool all = std::ranges::all_of(
        more, [&](const std::string& one) { return std::ranges::find(kinds, one) != kinds.end(); });
    if (!all || (!made.parent.empty() && more.size() < implied.size() + 1)) continue;
    made.parent = kind;
    implied = more;
  }
  for (const std::string& kind : kinds)
    if (kind != made.parent && std::ranges::find(implied, kind) == implied.end())
      made.also.push_back(kind);
  return made;
}

bool Lowering::exceptions_end_in_code() const {
  const llvm::Function* raise = code_.getFunction("__cxa_throw");
  return raise && std::ranges::any_of(raise->users(), [&](const llvm::User* user) {
           const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
           const auto* destructor = call && call->arg_size() == 3
                                        ? llvm::dyn_cast<llvm::Function>(call->getArgOperand(2))
                                        : nullptr;
           return destructor && changes_something(*destructor);
         });
}

/// Itself or through callees that are looked into; what only ends the parts of an object does not
/// count.
bool Lowering::changes_something(const llvm::Function& destructor) const {
  std::set<const llvm::Function*> seen{&destructor};
  std::vector<const llvm::Function*> work{&destructor};
  while (!work.empty()) {
    const llvm::Function* function = work.back();
    work.pop_back();
    for (const llvm::BasicBlock& block : *function)
      for (const llvm::Instruction& instruction : block) {
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
          const llvm::Value* into = store->getPointerOperand()->stripInBoundsOffsets();
          const llvm::Value* value = store->getValueOperand()->stripInBoundsConstantOffsets();
          if (!llvm::isa<llvm::AllocaInst>(into) && !value->getName().starts_with("_ZTV"))
            return true;
        } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
          const llvm::Function* callee = call->getCalledFunction();
          if (!callee || llvm::isa<llvm::MemIntrinsic>(call)) return true;
          if (lowers(*callee) && seen.insert(callee).second) work.push_back(callee);
        }
      }
  }
  return false;
}

Term Lowering::guard(const llvm::Value& variable) {
  Term& known = fields_[{StateKey::Kind::Guard, variable.getName().str(), ""}];
  if (known) return known;
  std::string name = llvm::demangle(variable.getName().str());
  if (constexpr std::string_view prefix = "guard variable for "; name.starts_with(prefix))
    name.erase(0, prefix.size());
  if (const std::size_t abi = name.rfind("[abi:"); abi != std::string::npos) name.resize(abi);
  name = name.substr(name.rfind(':') + 1);
  StateVariable& made = add_state(name + ".initialised", {.sort = arena().bool_sort()});
  made.initial = arena().falsehood();
  return known = made.term;
}

bool Lowering::calls_any(Attribute attribute) const {
  return std::ranges::any_of(code_, [&](const llvm::Function& f) {
    return !f.use_empty() && facts_.library->all.has(attribute, f.getName().str());
  });
}

bool Lowering::jumps_within() const { return calls_any(Attribute::Lands); }

Term Lowering::exception(const std::string& name) {
  const auto index = module_.find_exception(name);
  should(index.has_value(), "every exception should have been declared");
  return arena().enumerator(module_.exception_sort, *index);
}

Term Lowering::is_exception(Term thrown, const std::string& name) {
  std::vector<Term> cases;
  for (std::size_t e = 0; e < module_.exceptions.size(); ++e)
    if (module_.exception_is(module_.exceptions[e].name, name))
      cases.push_back(arena().eq(thrown, arena().enumerator(module_.exception_sort, e)));
  return arena().disj(std::move(cases));
}

// Variables.

StateVariable& Lowering::add_state(const std::string& name, Type type) {
  StateVariable variable;
  variable.type = std::move(type);
  variable.term = arena().var(variable_name(name), variable.type.sort);
  module_.state.push_back(std::move(variable));
  return module_.state.back();
}

/// Whether `--own` names the receiver's type: its fields are the component's then.
bool Lowering::owns_fields() const {
  const auto is_receiver = [&](const std::string& name) {
    if (name == receiver_->name) return true;
    const auto alias = facts_.aliases.find(name);
    return alias != facts_.aliases.end() && alias->second == receiver_->name;
  };
  return std::ranges::any_of(options_.own, is_receiver);
}

/// Whether a field of the receiver is the client's to set.
bool Lowering::clients_write(const FieldFact& field) const {
  if (owns_fields()) return false;
  const bool hidden = field.type.kind == SourceType::Kind::Pointer && field.type.pointee_opaque &&
                      !field.type.is_function;
  // A struct of a C source file, or of a header of its own, is seen by nobody else.
  const bool seen = facts_.language == "cpp" || (!receiver_->in_main_file && !handle_hidden_);
  return field.is_public && !hidden && seen;
}

Term Lowering::receiver_field(const FieldFact& field) {
  Term& known = fields_[{StateKey::Kind::Receiver, "", field.path}];
  if (known) return known;
  StateVariable& variable = add_state(field.path, field_type(field));
  known = variable.term;
  if (const std::string shown = shown_path(field.path); shown != variable.name())
    variable.shown = shown;
  variable.client = clients_write(field);
  if (!options_.handle.empty() && !variable.client) variable.initial = zero_of(variable.type);
  return known;
}

Term Lowering::global_field(const llvm::GlobalVariable& global_variable, const FieldFact& field) {
  Term& known = fields_[{StateKey::Kind::Global, global_variable.getName().str(), field.path}];
  if (known) return known;
  StateVariable& variable = add_state(field.path, field_type(field));
  known = variable.term;
  if (const std::string shown = shown_path(field.path); shown != variable.name())
    variable.shown = shown;
  const GlobalFact* fact = global(global_variable);
  variable.client = fact && fact->is_public && !global_variable.isConstant();
  set_initial(variable, global_variable, field);
  return known;
}

/// The record that holds the map of a field: for what is inherited that of the base.
std::string Lowering::heap_owner(const RecordFact& record_fact, const FieldFact& field) const {
  return record(field.owner) ? field.owner : record_fact.name;
}

/// By the place: two bases may have fields of one name.
StateKey Lowering::record_key(const RecordFact& record_fact, const FieldFact& field) const {
  return {StateKey::Kind::Record, heap_owner(record_fact, field),
          (record(field.owner) ? field.owner_path : field.path) + "@" +
              std::to_string(field.bit_offset)};
}

Term Lowering::record_field(const RecordFact& record_fact, const FieldFact& field) {
  const bool part = record(field.owner) != nullptr;
  const std::string owner = heap_owner(record_fact, field);
  const std::string& path = part ? field.owner_path : field.path;
  Term& known = fields_[record_key(record_fact, field)];
  if (known) return known;
  const std::string name = declare_record(owner);
  Type value = field_type(field);
  Type map{.sort = arena().map_sort(arena().ref_sort(), value.sort)};
  map.key = std::make_shared<Type>(Type{.sort = arena().ref_sort(), .record = name});
  map.value = std::make_shared<Type>(value);
  StateVariable variable;
  std::string full = name + "." + path;
  while (!names_.insert(full).second) full += "_";
  variable.term = arena().var(full, map.sort);
  variable.type = std::move(map);
  variable.record = name;
  should(full.starts_with(name + "."), "the map of a field should be named after its record");
  for (Record& r : module_.records)
    if (r.name == name) r.fields.emplace_back(full.substr(name.size() + 1), value);
  known = variable.term;
  module_.state.push_back(std::move(variable));
  return known;
}

Term Lowering::receiver_address() {
  if (receiver_address_) return receiver_address_;
  StateVariable& variable =
      add_state(options_.handle.empty() ? "this" : "handle", {.sort = arena().ref_sort()});
  variable.address = Address::Part;
  return receiver_address_ = variable.term;
}

Term Lowering::freed() {
  if (freed_) return freed_;
  StateVariable& made = add_state("freed", {.sort = arena().bool_sort()});
  made.initial = arena().falsehood();
  return freed_ = made.term;
}

Term Lowering::lent(Term variable) {
  Term& flag = lent_[variable];
  if (!flag) {
    StateVariable& made = add_state(variable->name + ".lent", {.sort = arena().bool_sort()});
    made.initial = arena().falsehood();
    flag = made.term;
  }
  return flag;
}

void Lowering::lend_records(const std::string& type) { reach_from(facts_, type, lent_records_); }

Term Lowering::constant_address(const std::string& what, Address kind) {
  Term& known = fields_[{StateKey::Kind::Address, what, ""}];
  if (known) return known;
  StateVariable& made = add_state(std::string(address_prefix) + what, {.sort = arena().ref_sort()});
  made.address = kind;
  return known = made.term;
}

Term Lowering::global_address(const llvm::GlobalValue& value, std::int64_t offset) {
  std::string name = value.getName().str();
  // Constants without an address of their own may share one, and what lies outside of an object
  // may be the place of another.
  const auto* object = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  const bool inside =
      offset == 0 || (object && object->getValueType()->isSized() && offset > 0 &&
                      static_cast<std::uint64_t>(offset) <
                          layout().getTypeAllocSize(object->getValueType()).getFixedValue());
  const bool apart = (llvm::isa<llvm::Function>(value) && offset == 0) ||
                     (object && !object->hasAtLeastLocalUnnamedAddr() && inside);
  if (offset != 0) name += "_" + std::to_string(offset);
  return constant_address(name, apart ? Address::Object : Address::Place);
}

Term Lowering::part_address(std::int64_t offset) {
  return constant_address("this_" + std::to_string(offset), Address::Part);
}

Term Lowering::local_address(const std::string& name) {
  return constant_address(std::string(local_prefix) + name, Address::Place);
}

bool Lowering::is_local_address(Term variable) const {
  return variable->name.starts_with(std::string(address_prefix) + std::string(local_prefix));
}

bool Lowering::is_address(Term variable) const {
  const StateVariable* known = module_.find_state(variable->name);
  return known && known->term == variable && known->address != Address::None;
}

std::string Lowering::new_record(const llvm::Value* allocation) {
  for (const llvm::User* user : allocation->users()) {
    const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    if (gep && gep->getPointerOperand() == allocation)
      if (const RecordFact* found = record_of(gep->getSourceElementType()))
        return declare_record(found->name);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user))
      if (const llvm::Function* callee = call->getCalledFunction())
        if (const FunctionFact* known = fact(*callee); known && known->is_constructor)
          if (const RecordFact* found = record(known->in_class)) return declare_record(found->name);
  }
  return declare_record("object");
}

void Lowering::open_enum(const std::string& name) {
  open_enums_.insert(name);
  throw LowerAgain();
}

void Lowering::escape(const llvm::GlobalVariable* global_variable, const FieldFact& field) {
  const std::string key =
      (global_variable ? global_variable->getName().str() : std::string()) + ":" + field.path;
  if (escaped_places_.contains(key)) return;
  if (global_variable) put_on_heap(*global_variable);
  escaped_places_[key] = {global_variable, field};
  throw LowerAgain();
}

// Callees.

/// Its body will be lowered: it is a call of the component, or may stay a call in one.
bool Lowering::is_looked_into(const llvm::Function& function) const {
  const std::string symbol = function.getName().str();
  for (const auto* roots : {&facts_.methods, &facts_.constructors})
    if (std::ranges::find(*roots, symbol) != roots->end()) return true;
  return lowers(function);
}

bool Lowering::lowers(const llvm::Function& function) const {
  if (function.isDeclaration()) return false;
  const FunctionFact* known = fact(function);
  if (!known) return function.hasLocalLinkage();
  return !known->outranked && (known->is_own || !known->in_system_header);
}

bool Lowering::looks_into(const llvm::Function& function) const {
  if (function.isDeclaration()) return false;
  if (lowers(function)) return true;
  const FunctionFact* known = fact(function);
  return known && !known->tame && !known->outranked && callbacks_.runs_own_code(function);
}

void Lowering::reaches(const std::string& callee, bool everything, bool heap,
                       const std::set<std::string>& records) {
  if (!everything && !heap && records.empty()) return;
  Reaching& known = reaching_[callee];
  known.everything |= everything;
  known.heap |= heap;
  known.records.insert(records.begin(), records.end());
}

std::string Lowering::shown_callee(const llvm::Function* function) const {
  if (!function) return "indirect";
  const FunctionFact* known = fact(*function);
  return known ? known->contract : llvm::demangle(function->getName().str());
}

std::string Lowering::free_procedure(const std::string& wanted) const {
  std::string name = wanted;
  for (int i = 2; module_.find_procedure(name); ++i) name = fmt::format("{}#{}", wanted, i);
  return name;
}

std::string Lowering::callee(const std::string& key, const Procedure& wanted, bool may_throw,
                             const std::set<std::string>& writes) {
  std::string& name = callees_[key];
  if (name.empty()) {
    name = free_procedure(wanted.name);
    Procedure made = wanted;
    made.kind = ProcedureKind::Extern;
    made.name = name;
    if (made.shown == name) made.shown.clear();
    if (may_throw) {
      made.throws.assign(caught_.begin(), caught_.end());
      made.throws.push_back(foreign_exception);
    }
    module_.procedures.push_back(std::move(made));
  }
  Procedure& made = *module_.find_procedure(name);
  for (const std::string& variable : writes)
    if (std::ranges::find(made.writes, variable) == made.writes.end())
      made.writes.push_back(variable);
  return name;
}

std::string Lowering::thrower(const std::string& exception_thrown, const Location& where) {
  const std::string name = "throw." + exception_thrown;
  if (!module_.find_procedure(name)) {
    Procedure made;
    made.kind = ProcedureKind::Extern;
    made.name = name;
    made.blocks.push_back({{},
                           {.kind = TerminatorKind::Throw,
                            .value = exception(exception_thrown),
                            .environment = true,
                            .where = where}});
    module_.procedures.push_back(std::move(made));
  }
  return name;
}

std::string Lowering::stopper(const std::string& name) {
  if (!module_.find_procedure(name)) {
    Procedure made;
    made.kind = ProcedureKind::Extern;
    made.name = name;
    made.blocks.push_back({{{.kind = StatementKind::Assume, .value = arena().falsehood()}},
                           {.kind = TerminatorKind::Return}});
    module_.procedures.push_back(std::move(made));
  }
  return name;
}

std::string Lowering::internal(const llvm::Function& function, const std::vector<Receiver>& bound) {
  std::string key = function.getName().str();
  for (const Receiver r : bound) key += r == Receiver::Object ? "*" : "-";
  std::string& name = internals_[key];
  if (!name.empty()) return name;
  const FunctionFact* known = fact(function);
  const std::string shown = known ? known->name : function.getName().str();
  name = free_procedure("call." + shown);
  Procedure made;
  made.kind = ProcedureKind::Internal;
  made.name = name;
  made.shown = shown;
  bodies_.declare(*this, function, made, bound);
  module_.procedures.push_back(std::move(made));
  if (!lowers(function)) summarised_.insert(name);
  pending_.push_back({&function, bound, name});
  return name;
}

void Lowering::lower_pending() {
  while (!pending_.empty()) {
    const Pending next = pending_.back();
    pending_.pop_back();
    Procedure made;
    made.kind = ProcedureKind::Internal;
    made.name = next.name;
    made.shown = module_.find_procedure(next.name)->shown;
    bodies_.lower(*this, *next.function, made, next.bound);
    *module_.find_procedure(next.name) = std::move(made);
  }
}

/// Callees that would blow up their callers do whatever their effects allow, and so do library
/// functions that run own code.
void Lowering::summarise_large() {
  // Blocks. What stands in for a component is not to be lost.
  const std::size_t largest_kept = options_.stand_in ? 1000 : 300;
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < module_.procedures.size(); ++i)
    if (const Procedure& p = module_.procedures[i];
        p.kind == ProcedureKind::Internal &&
        (p.blocks.size() > largest_kept || summarised_.contains(p.name)))
      large.push_back(i);
  if (large.empty()) return;
  const std::vector<Effects> all = effects(module_);
  for (const std::size_t i : large) {
    Procedure& p = module_.procedures[i];
    if (!summarised_.contains(p.name))
      assume(p.shown_name() + " is too large to be looked into: it is summarised "
                              "by what it may write and return");
    p = summary(module_, p, all[i]);
  }
}

} // namespace tacit
