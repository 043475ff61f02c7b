#include "frontend/llvm/made_handles.h"

#include <algorithm>
#include <optional>
#include <set>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

namespace tacit {

namespace {

bool is_allocator(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return false;
  const llvm::StringRef name = callee->getName();
  return name == "malloc" || name == "calloc" || name.starts_with("_Znw");
}

/// The calls of allocators whose memory is returned; nothing when something else is, too.
std::optional<std::set<llvm::CallBase*>> returned_memory(llvm::Function& function) {
  std::set<llvm::CallBase*> found;
  std::set<const llvm::Value*> seen;
  std::vector<llvm::Value*> work;
  for (llvm::BasicBlock& block : function)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
      work.push_back(end->getReturnValue());
  while (!work.empty()) {
    llvm::Value* at = work.back();
    work.pop_back();
    if (!seen.insert(at).second || llvm::isa<llvm::ConstantPointerNull>(at)) continue;
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(at); call && is_allocator(*call)) {
      found.insert(call);
    } else if (llvm::isa<llvm::PHINode>(at) || llvm::isa<llvm::SelectInst>(at)) {
      for (llvm::Use& operand : llvm::cast<llvm::User>(at)->operands())
        if (operand->getType()->isPointerTy()) work.push_back(operand);
    } else if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at); gep && gep->hasAllZeroIndices()) {
      work.push_back(gep->getPointerOperand());
    } else {
      return std::nullopt;
    }
  }
  return found;
}

std::uint64_t bytes_of(const llvm::CallBase& allocation) {
  std::uint64_t bytes = 1;
  const unsigned factors = allocation.getCalledFunction()->getName() == "calloc" ? 2 : 1;
  for (unsigned i = 0; i < factors; ++i) {
    const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(allocation.getArgOperand(i));
    if (!factor) return 0;
    bytes *= factor->getZExtValue();
  }
  return bytes;
}

/// The struct of that size which the handle is the first part of.
std::string struct_around(const SourceFacts& facts, const std::string& handle,
                          std::uint64_t bytes) {
  std::vector<std::string> found;
  for (const auto& [name, record] : facts.records)
    if (name != handle && record.bits == bytes * 8 && !record.fields.empty() &&
        record.fields.front().owner == handle)
      found.push_back(name);
  return found.size() == 1 ? found.front() : "";
}

/// A copy that takes the handle first.
llvm::Function* copy_with_handle(llvm::Function& function) {
  std::vector<llvm::Type*> types{function.getReturnType()};
  for (const llvm::Argument& argument : function.args()) types.push_back(argument.getType());
  auto* copy = llvm::Function::Create(
      llvm::FunctionType::get(function.getReturnType(), types, false),
      llvm::GlobalValue::ExternalLinkage, function.getName() + ".made", function.getParent());
  copy->getArg(0)->setName("handle");
  llvm::ValueToValueMapTy map;
  for (llvm::Argument& argument : function.args()) {
    llvm::Argument* same = copy->getArg(argument.getArgNo() + 1);
    same->setName(argument.getName());
    map[&argument] = same;
  }
  llvm::SmallVector<llvm::ReturnInst*, 8> returns;
  llvm::CloneFunctionInto(copy, &function, map, llvm::CloneFunctionChangeType::LocalChangesOnly,
                          returns);
  return copy;
}

/// The memory is the handle's, and there is no return without it.
void bind_handle(llvm::Function& copy, llvm::CallBase& allocation) {
  llvm::Argument* handle = copy.getArg(0);
  allocation.replaceAllUsesWith(handle);
  llvm::CallBase* call = &allocation;
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(call)) call = llvm::changeToCall(invoke);
  call->eraseFromParent();
  std::vector<llvm::ReturnInst*> returns;
  for (llvm::BasicBlock& block : copy)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) returns.push_back(end);
  for (llvm::ReturnInst* end : returns) {
    llvm::Value* value = end->getReturnValue();
    if (value->stripPointerCasts() == handle) continue;
    llvm::IRBuilder<> builder(end);
    llvm::Value* nothing = builder.CreateIsNull(value);
    llvm::SplitBlockAndInsertIfThen(nothing, end->getIterator(), true);
  }
}

} // namespace

Result<void> take_made_handles(llvm::Module& module, SourceFacts& facts, const std::string& handle,
                               const std::vector<std::string>& constructors) {
  const auto alias = facts.aliases.find(handle);
  const std::string record =
      facts.records.contains(handle) || alias == facts.aliases.end() ? handle : alias->second;
  std::vector<FunctionFact> makers;
  for (const auto& [symbol, fact] : facts.functions)
    if (std::ranges::find(constructors, fact.name) != constructors.end() &&
        fact.returns.kind == SourceType::Kind::Pointer && fact.returns.name == record &&
        (fact.parameters.empty() || fact.parameters[0].type.name != record))
      makers.push_back(fact);
  for (FunctionFact& maker : makers) {
    llvm::Function* function = module.getFunction(maker.symbol);
    if (!function || function->isDeclaration() || function->isVarArg()) continue;
    const auto memory = returned_memory(*function);
    if (!memory || memory->size() != 1)
      return fail(maker.where,
                  "--constructor: '{}' returns a handle that it does not allocate itself, in one "
                  "place, by malloc, calloc or new",
                  maker.name);
    const std::uint64_t bytes = bytes_of(**memory->begin());
    const bool zeroed = (*memory->begin())->getCalledFunction()->getName() == "calloc";
    if (const std::string around = struct_around(facts, record, bytes); !around.empty()) {
      if (!facts.around_handle.empty() && facts.around_handle != around)
        return fail(maker.where, "--constructor: '{}' makes a {}, others a {}", maker.name, around,
                    facts.around_handle);
      facts.around_handle = around;
    }
    llvm::Function* copy = copy_with_handle(*function);
    bind_handle(*copy, **returned_memory(*copy)->begin());
    maker.symbol = copy->getName().str();
    maker.parameters.insert(
        maker.parameters.begin(),
        {"handle", {.kind = SourceType::Kind::Pointer, .bits = 64, .name = record}});
    maker.makes_handle = true;
    maker.zeroes_handle = zeroed;
    facts.notes.push_back("runs of " + maker.name + " that return no handle are left out");
    facts.functions[maker.symbol] = maker;
  }
  return {};
}

} // namespace tacit
