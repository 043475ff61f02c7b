#include "frontend/llvm/array_loops.h"

#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>

namespace tacit {

namespace {

/// A pointer that moves from the start of an array to its end, one element a turn.
struct Walk {
  llvm::PHINode* at = nullptr;
  llvm::Instruction* next = nullptr;
  llvm::Instruction* done = nullptr;
  llvm::Value* begin = nullptr;
  llvm::BasicBlock* before = nullptr;
  std::int64_t stride = 0, bytes = 0;
};

bool is_made(const llvm::BasicBlock& header) {
  const llvm::StringRef name = header.getName();
  return name.starts_with("arrayinit.body") || name.starts_with("arrayctor.loop") ||
         name.starts_with("arraydestroy.body");
}

/// The distance between two pointers into one object.
std::optional<std::int64_t> apart(const llvm::Value* from, const llvm::Value* to,
                                  const llvm::DataLayout& layout) {
  llvm::APInt low(64, 0), high(64, 0);
  from = from->stripAndAccumulateConstantOffsets(layout, low, true);
  to = to->stripAndAccumulateConstantOffsets(layout, high, true);
  if (from != to) return std::nullopt;
  return (high - low).getSExtValue();
}

/// How a loop in one block goes through an array.
std::optional<Walk> walk(llvm::BasicBlock& block, const llvm::DataLayout& layout) {
  const auto* jump = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!jump || !jump->isConditional() || jump->getSuccessor(1) != &block ||
      jump->getSuccessor(0) == &block)
    return std::nullopt;
  auto phis = block.phis();
  if (phis.empty() || std::next(phis.begin()) != phis.end()) return std::nullopt;
  Walk found;
  found.at = &*phis.begin();
  if (!found.at->getType()->isPointerTy() || found.at->getNumIncomingValues() != 2)
    return std::nullopt;
  const unsigned back = found.at->getIncomingBlock(0) == &block ? 0 : 1;
  found.next = llvm::dyn_cast<llvm::GetElementPtrInst>(found.at->getIncomingValue(back));
  found.begin = found.at->getIncomingValue(1 - back);
  found.before = found.at->getIncomingBlock(1 - back);
  auto* done = llvm::dyn_cast<llvm::ICmpInst>(jump->getCondition());
  if (!found.next || !done || done->getPredicate() != llvm::CmpInst::ICMP_EQ ||
      done->getOperand(0) != found.next)
    return std::nullopt;
  found.done = done;
  const auto stride = apart(found.at, found.next, layout);
  const auto bytes = apart(found.begin, done->getOperand(1), layout);
  if (!stride || !bytes || *stride <= 0 || *bytes <= 0 || *bytes % *stride != 0)
    return std::nullopt;
  found.stride = *stride;
  found.bytes = *bytes;
  return found;
}

/// Whether each turn does nothing but write zeros over the whole element.
bool writes_zeros(llvm::BasicBlock& block, const Walk& loop, const llvm::DataLayout& layout) {
  bool written = false;
  for (llvm::Instruction& instruction : block) {
    if (&instruction == loop.at || &instruction == loop.next || &instruction == loop.done ||
        instruction.isTerminator() || llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
      continue;
    if (written) return false;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      const auto* value = llvm::dyn_cast<llvm::Constant>(store->getValueOperand());
      const auto size = layout.getTypeStoreSize(store->getValueOperand()->getType());
      written = store->getPointerOperand() == loop.at && value && value->isNullValue() &&
                static_cast<std::int64_t>(size.getFixedValue()) == loop.stride;
    } else if (const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
      const auto* value = llvm::dyn_cast<llvm::ConstantInt>(fill->getValue());
      const auto* size = llvm::dyn_cast<llvm::ConstantInt>(fill->getLength());
      written = fill->getDest() == loop.at && value && value->isZero() && size &&
                size->getSExtValue() == loop.stride;
    }
    if (!written) return false;
  }
  return written && loop.at->hasNUses(2) && loop.next->hasNUses(2);
}

void put_memset(llvm::BasicBlock& block, const Walk& loop) {
  llvm::BasicBlock* after = llvm::cast<llvm::BranchInst>(block.getTerminator())->getSuccessor(0);
  llvm::IRBuilder<> builder(loop.before->getTerminator());
  builder.SetCurrentDebugLocation(loop.done->getDebugLoc());
  builder.CreateMemSet(loop.begin, builder.getInt8(0), static_cast<std::uint64_t>(loop.bytes),
                       llvm::MaybeAlign());
  loop.before->getTerminator()->replaceSuccessorWith(&block, after);
  after->replacePhiUsesWith(&block, loop.before);
  llvm::SmallVector<llvm::Instruction*> all;
  for (llvm::Instruction& instruction : block) all.push_back(&instruction);
  for (llvm::Instruction* instruction : llvm::reverse(all)) {
    instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
    instruction->eraseFromParent();
  }
  block.eraseFromParent();
}

bool ask_to_unroll(llvm::Function& function) {
  constexpr std::int64_t most = 16; // turns
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  bool any = false;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!is_made(*loop->getHeader()) || !loop->isInnermost()) continue;
    const auto known = loop->getNumBlocks() == 1 ? walk(*loop->getHeader(), layout) : std::nullopt;
    if (!known || known->bytes / known->stride > most) continue;
    llvm::LLVMContext& context = function.getContext();
    auto* full = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.full"));
    auto* id = llvm::MDNode::getDistinct(context, {nullptr, full});
    id->replaceOperandWith(0, id);
    loop->setLoopID(id);
    any = true;
  }
  return any;
}

} // namespace

bool fill_arrays(llvm::Module& module) {
  bool any = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  for (llvm::Function& function : module) {
    std::vector<llvm::BasicBlock*> blocks;
    for (llvm::BasicBlock& block : function)
      if (is_made(block)) blocks.push_back(&block);
    if (blocks.empty()) continue;
    for (llvm::BasicBlock* block : blocks)
      if (const auto loop = walk(*block, module.getDataLayout());
          loop && writes_zeros(*block, *loop, module.getDataLayout())) {
        put_memset(*block, *loop);
        any = true;
      }
    if (!ask_to_unroll(function)) continue;
    any = true;
    llvm::FunctionPassManager manager;
    manager.addPass(llvm::createFunctionToLoopPassAdaptor(
        llvm::LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/true)));
    manager.run(function, functions);
  }
  return any;
}

} // namespace tacit
