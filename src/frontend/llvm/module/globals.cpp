// Globals: what they hold before the first call, and those that are objects like any other.
//
// A global is a set of variables as long as only its name leads to it. A plain struct whose address
// is kept in memory is put among the objects behind pointers instead, at an address of its own, so
// that what is written through a pointer is found under the name and the other way round.
#include <algorithm>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "base/should.h"
#include "frontend/llvm/module/lowering.h"

namespace tacit {

namespace {

/// Tables of the language itself; a place in them is no address that anybody keeps.
bool is_language_table(llvm::StringRef name) {
  return name.starts_with("_ZTV") || name.starts_with("_ZTT") || name.starts_with("_ZTC") ||
         name.starts_with("_ZTI") || name.starts_with("llvm.");
}

} // namespace

Term Lowering::zero_of(const Type& type) {
  switch (type.sort->kind) {
  case SortKind::Bool: return arena().falsehood();
  case SortKind::Int: return arena().integer(0);
  case SortKind::Ref: return arena().null();
  case SortKind::Enum:
    for (std::size_t i = 0; i < type.sort->decl->values.size(); ++i)
      if (type.sort->decl->values[i].value == 0) return arena().enumerator(type.sort, i);
    return nullptr;
  case SortKind::Map: {
    const Term inner = zero_of(*type.value);
    return inner ? arena().const_map(type.sort, inner) : nullptr;
  }
  }
  return nullptr;
}

/// Initialisers of variables and other functions that run before the component does, with what
/// they call.
void Lowering::find_early_code() {
  std::vector<const llvm::Function*> work;
  for (const llvm::Function& function : code_)
    if (function.getName().starts_with("__cxx_global_var_init") ||
        function.getName().starts_with("_GLOBAL__"))
      work.push_back(&function);
  if (const llvm::GlobalVariable* listed = code_.getNamedGlobal("llvm.global_ctors");
      listed && listed->hasInitializer())
    for (const llvm::Use& entry : listed->getInitializer()->operands())
      for (const llvm::Use& part : llvm::cast<llvm::User>(entry)->operands())
        if (const auto* function = llvm::dyn_cast<llvm::Function>(part->stripPointerCasts()))
          work.push_back(function);
  while (!work.empty()) {
    const llvm::Function* at = work.back();
    work.pop_back();
    if (at->isDeclaration() || !before_start_.insert(at).second) continue;
    for (const llvm::BasicBlock& block : *at)
      for (const llvm::Instruction& instruction : block) {
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
          const llvm::Function* callee = call->getCalledFunction();
          if (callee)
            work.push_back(callee);
          else
            early_writes_astray_ = true;
        } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
          const llvm::Value* into = store->getPointerOperand()->stripInBoundsOffsets();
          early_writes_astray_ = early_writes_astray_ || llvm::isa<llvm::LoadInst>(into) ||
                                 llvm::isa<llvm::PHINode>(into) || llvm::isa<llvm::CallBase>(into);
        }
      }
  }
}

/// An initialiser that is code, not a constant: it runs before the component does.
bool Lowering::set_before_start(const llvm::GlobalVariable& variable) const {
  const auto escapes = [&](const auto& entry) { return entry.second.global == &variable; };
  if (early_writes_astray_ && (on_heap(variable) || std::ranges::any_of(escaped_places_, escapes)))
    return true;
  std::set<const llvm::Value*> seen;
  std::vector<const llvm::Value*> work{&variable};
  while (!work.empty()) {
    const llvm::Value* at = work.back();
    work.pop_back();
    for (const llvm::User* user : at->users()) {
      if (!seen.insert(user).second) continue;
      if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
        if (before_start_.contains(instruction->getFunction()) &&
            (instruction->mayWriteToMemory() || llvm::isa<llvm::GetElementPtrInst>(instruction)))
          return true;
      } else {
        work.push_back(user);
      }
    }
  }
  return false;
}

/// Null when it cannot be said. Addresses in it are variables.
Term Lowering::initial_value(const llvm::GlobalVariable& global_variable, const FieldFact& field,
                             const Type& type) {
  if (!global_variable.hasInitializer() || set_before_start(global_variable)) return nullptr;
  auto* initializer = const_cast<llvm::Constant*>(global_variable.getInitializer());
  if (field.is_bit_field) {
    Integer bits = 0;
    for (std::uint64_t i = 0; i < field.bit_width; ++i) {
      const std::uint64_t at = field.bit_offset + i;
      const auto* byte = llvm::dyn_cast_or_null<llvm::ConstantInt>(
          llvm::ConstantFoldLoadFromConst(initializer, llvm::Type::getInt8Ty(code_.getContext()),
                                          llvm::APInt(64, at / 8), layout()));
      if (!byte) return nullptr;
      if (byte->getValue()[static_cast<unsigned>(at % 8)]) bits += Integer{1} << i;
    }
    if (type.sort->kind == SortKind::Bool) return arena().boolean(bits != 0);
    if (type.sort->kind != SortKind::Int) return bits == 0 ? zero_of(type) : nullptr;
    return arena().integer(
        wrap_integer(bits, static_cast<int>(field.bit_width), field.type.is_signed));
  }
  const auto scalar = [&](std::uint64_t bits, const Type& wanted) -> Term {
    auto& context = code_.getContext();
    llvm::Type* real =
        field.bit_width == 32 ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
    llvm::Type* read = field.type.is_real ? real
                       : wanted.sort->kind == SortKind::Ref
                           ? static_cast<llvm::Type*>(llvm::PointerType::get(code_.getContext(), 0))
                           : llvm::Type::getIntNTy(code_.getContext(), field.bit_width);
    llvm::Constant* value =
        llvm::ConstantFoldLoadFromConst(initializer, read, llvm::APInt(64, bits / 8), layout());
    if (!value) return nullptr;
    if (value->isNullValue()) return zero_of(wanted);
    if (wanted.sort->kind == SortKind::Ref) return address_of(*value);
    if (field.type.is_real) {
      const auto place = real_place(*value);
      if (!place) meet_nan();
      return place ? arena().integer(*place) : nullptr;
    }
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
    if (!number) return nullptr;
    const Integer n = field.type.is_signed ? static_cast<Integer>(number->getSExtValue())
                                           : static_cast<Integer>(number->getZExtValue());
    if (wanted.sort->kind == SortKind::Bool) return arena().boolean(n != 0);
    if (wanted.sort->kind == SortKind::Int) return arena().integer(n);
    if (wanted.sort->kind == SortKind::Enum) {
      for (std::size_t i = 0; i < wanted.sort->decl->values.size(); ++i)
        if (wanted.sort->decl->values[i].value == n) return arena().enumerator(wanted.sort, i);
      open_enum(field.type.name);
    }
    return nullptr;
  };
  if (field.count == 0) return scalar(field.bit_offset, type);
  if (field.count > 256) return initializer->isNullValue() ? zero_of(type) : nullptr;
  Term map = nullptr;
  std::map<Term, std::size_t, TermById> counts;
  std::vector<Term> values;
  for (std::uint64_t i = 0; i < field.count; ++i) {
    values.push_back(scalar(field.bit_offset + i * field.stride, *type.value));
    if (!values.back()) return nullptr;
    ++counts[values.back()];
  }
  const Term most =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
  map = arena().const_map(type.sort, most);
  for (std::uint64_t i = 0; i < field.count; ++i)
    if (values[i] != most)
      map = arena().store(map, arena().integer(static_cast<Integer>(i)), values[i]);
  return map;
}

/// The address that a constant is, as code that takes it would have it.
Term Lowering::address_of(const llvm::Constant& value) {
  llvm::APInt offset(64, 0);
  const llvm::Value* root = value.stripAndAccumulateConstantOffsets(layout(), offset, true);
  const auto* named = llvm::dyn_cast<llvm::GlobalValue>(root);
  if (!named) return nullptr;
  if (offset.isZero()) return global_address(*named);
  const auto* object = llvm::dyn_cast<llvm::GlobalVariable>(named);
  if (!object || on_heap(*object)) return nullptr;
  return global_address(*named, offset.getSExtValue());
}

/// Constants are the initial value; what mentions addresses is assigned when the component starts,
/// and what own code computes before that is hidden.
void Lowering::set_initial(StateVariable& variable, const llvm::GlobalVariable& of,
                           const FieldFact& field) {
  const Term target = variable.term;
  const Type type = variable.type;
  const Term value = initial_value(of, field, type);
  if (value && variables(value).empty())
    std::ranges::find(module_.state, target, &StateVariable::term)->initial = value;
  else if (value)
    first_.push_back({.kind = StatementKind::Assign, .target = target, .value = value});
  else // also what is defined elsewhere
    first_.push_back({.kind = StatementKind::Havoc, .target = target, .chooser = Chooser::Unknown});
}

/// A global that holds the address of another one lets it escape before any code runs.
void Lowering::escape_initialisers() {
  std::set<const llvm::Constant*> seen;
  std::vector<const llvm::Constant*> work;
  for (const llvm::GlobalVariable& holder : code_.globals())
    if (holder.hasInitializer() && !is_language_table(holder.getName()))
      work.push_back(holder.getInitializer());
  while (!work.empty()) {
    const llvm::Constant* at = work.back();
    work.pop_back();
    if (!seen.insert(at).second) continue;
    const auto* object = llvm::dyn_cast<llvm::GlobalVariable>(at);
    if (!object) {
      if (!llvm::isa<llvm::GlobalValue>(at))
        for (const llvm::Use& part : at->operands())
          if (const auto* inner = llvm::dyn_cast<llvm::Constant>(part)) work.push_back(inner);
      continue;
    }
    const GlobalFact* known = global(*object);
    if (can_be_on_heap(*object)) on_heap_.insert(object);
    if (!known || object->isConstant() || on_heap(*object)) continue;
    for (const FieldFact& field : known->fields) {
      if (field.type.kind == SourceType::Kind::Object || field.type.kind == SourceType::Kind::Float)
        continue;
      kept_notes_.insert("the address of " + field.path +
                         " is kept in memory: what is behind pointers of its type may be it");
      escaped_places_[object->getName().str() + ":" + field.path] = {object, field};
    }
  }
}

bool Lowering::can_be_on_heap(const llvm::GlobalVariable& variable) const {
  const GlobalFact* known = global(variable);
  const RecordFact* type = record_of(variable.getValueType());
  if (!known || !type || known->is_public || known->in_system_header || variable.isDeclaration() ||
      known->fields.size() != type->fields.size())
    return false;
  // Inside of nested structs, pointers of other types lead to the same place.
  return std::ranges::all_of(type->fields, [](const FieldFact& field) {
    return field.type.kind != SourceType::Kind::Object && !field.path.contains('.');
  });
}

void Lowering::put_on_heap(const llvm::GlobalVariable& variable) {
  if (on_heap(variable) || !can_be_on_heap(variable)) return;
  on_heap_.insert(&variable);
  throw LowerAgain();
}

void Lowering::set_up_object(const llvm::GlobalVariable& object) {
  const RecordFact* type = record_of(object.getValueType());
  const GlobalFact* known = global(object);
  const Term at = fields_.at({StateKey::Kind::Address, object.getName().str(), ""});
  for (std::size_t i = 0; i < type->fields.size(); ++i) {
    const FieldFact& field = type->fields[i];
    const auto map = fields_.find(record_key(*type, field));
    if (map == fields_.end()) continue;
    const Term target = map->second;
    Term value = initial_value(object, known->fields[i], field_type(field));
    if (!value) value = hidden_constant(field_type(field));
    first_.push_back({.kind = StatementKind::Assign,
                      .target = target,
                      .value = arena().store(target, at, value)});
  }
}

/// What holds before the component starts goes to the start of its constructors.
void Lowering::set_up() {
  // What one object holds may be the address of another.
  std::set<const llvm::GlobalVariable*> done;
  for (bool more = true; more;) {
    more = false;
    for (const llvm::GlobalVariable* object : on_heap_)
      if (!done.contains(object) &&
          fields_.contains({StateKey::Kind::Address, object->getName().str(), ""})) {
        done.insert(object);
        set_up_object(*object);
        more = true;
      }
  }
  set_up_tables();
  // That addresses differ is said there, too.
  const auto addresses = std::ranges::count_if(
      fields_, [](const auto& f) { return f.first.kind == StateKey::Kind::Address; });
  if (first_.empty() && addresses < 2 && !no_start_) return;
  const auto starts = [](const Procedure& p) { return p.kind == ProcedureKind::Constructor; };
  if (std::ranges::none_of(module_.procedures, starts)) {
    Procedure made;
    made.kind = ProcedureKind::Constructor;
    made.name = component_;
    made.blocks.push_back({{}, {.kind = TerminatorKind::Return}});
    if (no_start_)
      made.blocks[0].statements.push_back(
          {.kind = StatementKind::Havoc, .target = any_state(), .chooser = Chooser::Unknown});
    module_.procedures.push_back(std::move(made));
  }
  for (Procedure& p : module_.procedures)
    if (starts(p))
      p.blocks[0].statements.insert(after_choices(p.blocks[0].statements), first_.begin(),
                                    first_.end());
}

/// A value that nobody here knows, chosen before the component starts.
Term Lowering::hidden_constant(const Type& type) {
  const Term made = add_state("hidden", type).term;
  first_.push_back({.kind = StatementKind::Havoc, .target = made, .chooser = Chooser::Unknown});
  return made;
}

} // namespace tacit
