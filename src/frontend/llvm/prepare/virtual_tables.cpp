#include "frontend/llvm/prepare/virtual_tables.h"

#include <algorithm>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/CallPromotionUtils.h>

#include "frontend/llvm/prepare/callbacks.h"

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

llvm::StringRef accessed_type(const llvm::Instruction& access) {
  const llvm::MDNode* tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  const auto* type =
      tag && tag->getNumOperands() > 1 ? llvm::dyn_cast<llvm::MDNode>(tag->getOperand(1)) : nullptr;
  const auto* name = type && type->getNumOperands() > 0
                         ? llvm::dyn_cast<llvm::MDString>(type->getOperand(0))
                         : nullptr;
  return name ? name->getString() : llvm::StringRef();
}

} // namespace tacit
