// Virtual calls on objects behind pointers: which class an object is of.
//
// The variable `vtable` maps the address of an object to that of its virtual table, which
// constructors in the given code set. A virtual call goes to what stands in that table; for an
// object whose table nobody here has set, any function of the given code at that place will do.
// Parts of objects behind pointers have no entry, and neither has the component itself,
// which is taken to be of its own class (prepare.cpp).
#include "frontend/llvm/prepare/virtual_tables.h"

#include <algorithm>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>

#include "frontend/llvm/prepare/callbacks.h"
#include "frontend/llvm/body/function_lowering.h"

namespace tacit {

namespace {

constexpr const char* promoted_mark = "tacit-promoted";

const llvm::Constant* pointer_in(const llvm::GlobalVariable& object, std::int64_t offset) {
  if (!object.hasInitializer()) return nullptr;
  return llvm::ConstantFoldLoadFromConst(const_cast<llvm::Constant*>(object.getInitializer()),
                                         llvm::PointerType::get(object.getContext(), 0),
                                         llvm::APInt(64, static_cast<std::uint64_t>(offset)),
                                         object.getParent()->getDataLayout());
}

} // namespace

std::optional<VirtualTable> virtual_table(const llvm::Value* value,
                                          const llvm::DataLayout& layout) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant || !constant->getType()->isPointerTy()) return std::nullopt;
  llvm::APInt offset(64, 0);
  const auto* table = llvm::dyn_cast<llvm::GlobalVariable>(
      constant->stripAndAccumulateConstantOffsets(layout, offset, true));
  if (!table || !table->getName().starts_with("_ZTV")) return std::nullopt;
  return VirtualTable{table, offset.getSExtValue()};
}

const llvm::Constant* initial_table(const llvm::GlobalVariable& object) {
  if (!object.getValueType()->isStructTy() || object.getName().starts_with("_ZT")) return nullptr;
  const llvm::Constant* first = pointer_in(object, 0);
  return first && virtual_table(first, object.getParent()->getDataLayout()) ? first : nullptr;
}

std::vector<VirtualTable> known_tables(const llvm::Module& code) {
  std::vector<VirtualTable> found;
  const auto take = [&](const llvm::Value* value) {
    const auto table = virtual_table(value, code.getDataLayout());
    if (table && std::ranges::find(found, *table) == found.end()) found.push_back(*table);
  };
  for (const llvm::Function& function : code)
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
          take(store->getValueOperand());
  for (const llvm::GlobalVariable& object : code.globals()) {
    if (const llvm::Constant* initial = initial_table(object)) take(initial);
    // Its class is known, so clients may have objects of it.
    const VirtualTable table{&object, 16};
    if (object.getName().starts_with("_ZTV") && object.hasInitializer() &&
        std::ranges::find(found, table) == found.end())
      found.push_back(table);
  }
  return found;
}

const llvm::Function* function_at(const VirtualTable& table, std::int64_t slot) {
  const llvm::Constant* found = pointer_in(*table.table, table.offset + slot);
  return found ? llvm::dyn_cast<llvm::Function>(found->stripPointerCasts()) : nullptr;
}

std::optional<VirtualCall> virtual_call(const llvm::CallBase& call) {
  if (!Callbacks::is_virtual(call)) return std::nullopt;
  const llvm::Value* place =
      llvm::cast<llvm::LoadInst>(call.getCalledOperand())->getPointerOperand();
  llvm::APInt slot(64, 0);
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(place)) {
    if (!step->accumulateConstantOffset(call.getModule()->getDataLayout(), slot))
      return std::nullopt;
    place = step->getPointerOperand();
  }
  const auto* table = llvm::dyn_cast<llvm::LoadInst>(place);
  if (!table) return std::nullopt;
  return VirtualCall{table, slot.getSExtValue()};
}

bool promote_virtual_calls(llvm::Module& code, const std::set<const llvm::Function*>& methods) {
  constexpr std::size_t most_targets = 6, most_calls = 100;
  const std::vector<VirtualTable> tables = known_tables(code);
  if (tables.empty()) return false;
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : code)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            call && !call->hasFnAttr(promoted_mark))
          calls.push_back(call);
  std::size_t done = 0;
  for (llvm::CallBase* call : calls) {
    const auto virtually = virtual_call(*call);
    if (!virtually || done == most_calls) continue;
    const llvm::Value* object =
        virtually->table->getPointerOperand()->stripInBoundsConstantOffsets();
    const auto* self = llvm::dyn_cast<llvm::Argument>(object);
    if (self && self->getArgNo() == 0 && methods.contains(self->getParent())) continue;
    std::vector<std::pair<llvm::Function*, std::vector<llvm::Constant*>>> targets;
    for (const VirtualTable& table : tables) {
      const llvm::Function* function = function_at(table, virtually->slot);
      if (!function || function->isDeclaration() ||
          function->getFunctionType() != call->getFunctionType())
        continue;
      auto at = std::ranges::find(targets, function, [](const auto& t) { return t.first; });
      if (at == targets.end()) at = targets.insert(at, {const_cast<llvm::Function*>(function), {}});
      auto* start = const_cast<llvm::GlobalVariable*>(table.table);
      auto* step =
          llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(code.getContext()), table.offset);
      at->second.push_back(llvm::ConstantExpr::getGetElementPtr(
          llvm::Type::getInt8Ty(code.getContext()), start, llvm::ArrayRef<llvm::Constant*>(step)));
    }
    if (targets.empty() || targets.size() > most_targets) continue;
    call->addFnAttr(llvm::Attribute::get(code.getContext(), promoted_mark));
    ++done;
    for (const auto& [function, places] : targets) {
      if (!llvm::isLegalToPromote(*call, function)) continue;
      llvm::promoteCallWithVTableCmp(*call, const_cast<llvm::LoadInst*>(virtually->table), function,
                                     places, nullptr);
    }
  }
  return done > 0;
}

Term Lowering::table_map() {
  Term& known = fields_[{StateKey::Kind::Tables, "", ""}];
  if (known) return known;
  Type map{.sort = arena().map_sort(arena().ref_sort(), arena().ref_sort())};
  map.key = std::make_shared<Type>(Type{.sort = arena().ref_sort()});
  map.value = std::make_shared<Type>(Type{.sort = arena().ref_sort()});
  return known = add_state("vtable", map).term;
}

Term Lowering::table_address(const VirtualTable& table) {
  std::string name = llvm::demangle(table.table->getName().str());
  if (constexpr std::string_view prefix = "vtable for "; name.starts_with(prefix))
    name.erase(0, prefix.size());
  const bool first = table.offset == 16;
  return constant_address("vtable." + name + (first ? "" : "_" + std::to_string(table.offset)),
                          Address::Object);
}

const std::vector<VirtualTable>& Lowering::tables() {
  if (!tables_) tables_ = known_tables(code_);
  return *tables_;
}

void Lowering::set_up_tables() {
  if (!fields_.contains({StateKey::Kind::Tables, "", ""})) return;
  for (const llvm::GlobalVariable& object : code_.globals()) {
    const auto address = fields_.find({StateKey::Kind::Address, object.getName().str(), ""});
    const llvm::Constant* initial = initial_table(object);
    if (address == fields_.end() || !initial) continue;
    const Term at = address->second, map = table_map();
    const Term table = table_address(*virtual_table(initial, layout()));
    first_.push_back(
        {.kind = StatementKind::Assign, .target = map, .value = arena().store(map, at, table)});
  }
}

/// The object whose virtual table is at a place, when it has an entry.
Term FunctionLowering::object_with_table(const llvm::Value* pointer) {
  const Target target = resolve(pointer);
  if (target.index) return nullptr;
  switch (target.kind) {
  case Target::Kind::Heap:
    if (target.offset != 0) return nullptr;
    break;
  case Target::Kind::Receiver: {
    const RecordFact* record = lowering_.receiver_record();
    if (!record || (target.offset == 0 && record->polymorphic)) return nullptr;
    break;
  }
  case Target::Kind::Global: break;
  default: return nullptr;
  }
  const Term object = address(target.kind == Target::Kind::Heap ? target.root : pointer);
  return object->sort == arena_.ref_sort() ? object : nullptr;
}

bool FunctionLowering::store_table(const llvm::StoreInst& instruction) {
  const auto table = virtual_table(instruction.getValueOperand(), lowering_.layout());
  if (!table) return false;
  if (const Term object = object_with_table(instruction.getPointerOperand())) {
    const Term map = lowering_.table_map();
    assign(map, arena_.store(map, object, lowering_.table_address(*table)));
  }
  return true;
}

bool FunctionLowering::read_table(const llvm::LoadInst& instruction) {
  if (accessed_type(instruction) != table_pointer) return false;
  const Term object = object_with_table(instruction.getPointerOperand());
  if (!object) return false;
  not_null(object);
  const Term table = local("vtable", {.sort = arena_.ref_sort()});
  assign(table, arena_.select(lowering_.table_map(), object));
  set(instruction, Held{.term = table});
  return true;
}

llvm::StringRef accessed_type(const llvm::Instruction& access) {
  const llvm::MDNode* tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  const auto* type =
      tag && tag->getNumOperands() > 1 ? llvm::dyn_cast<llvm::MDNode>(tag->getOperand(1)) : nullptr;
  const auto* name = type && type->getNumOperands() > 0
                         ? llvm::dyn_cast<llvm::MDString>(type->getOperand(0))
                         : nullptr;
  return name ? name->getString() : llvm::StringRef();
}

/// When a virtual call goes to a function: its table says so, or is one that is not known.
Term FunctionLowering::goes_to(const llvm::CallBase& call, const llvm::Function& candidate) {
  const Term any = local("target", {.sort = arena_.bool_sort()});
  havoc(any, Chooser::Unknown);
  const auto virtually = virtual_call(call);
  const auto held = virtually ? held_.find(virtually->table) : held_.end();
  if (held == held_.end() || !held->second.term || held->second.term->sort != arena_.ref_sort())
    return any;
  const Term table = held->second.term;
  std::vector<Term> here, known;
  for (const VirtualTable& one : lowering_.tables()) {
    const Term is = arena_.eq(table, lowering_.table_address(one));
    known.push_back(is);
    if (function_at(one, virtually->slot) == &candidate) here.push_back(is);
  }
  return arena_.disj(arena_.disj(here), arena_.conj(any, arena_.negate(arena_.disj(known))));
}

} // namespace tacit
