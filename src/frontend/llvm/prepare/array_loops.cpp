#include "frontend/llvm/prepare/array_loops.h"

#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>

#include "frontend/llvm/prepare/analyses.h"
#include "frontend/llvm/prepare/prepare.h"

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
  const auto* into = llvm::dyn_cast<llvm::BranchInst>(loop.before->getTerminator());
  return written && into && into->isUnconditional() && loop.at->hasNUses(2) &&
         loop.next->hasNUses(2);
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

/// A pointer that a loop moves by one element a turn.
struct Mover {
  llvm::PHINode* at = nullptr;
  llvm::GetElementPtrInst* next = nullptr;
  unsigned outer = 0; // where the phi comes from outside
};

std::optional<Mover> mover(const llvm::Loop& loop, llvm::PHINode& phi) {
  if (!phi.getType()->isPointerTy() || phi.getNumIncomingValues() != 2) return std::nullopt;
  const unsigned outer = loop.contains(phi.getIncomingBlock(0)) ? 1 : 0;
  if (loop.contains(phi.getIncomingBlock(outer)) || !loop.contains(phi.getIncomingBlock(1 - outer)))
    return std::nullopt;
  auto* next = llvm::dyn_cast<llvm::GetElementPtrInst>(phi.getIncomingValue(1 - outer));
  if (!next || next->getPointerOperand() != &phi || next->getNumIndices() != 1) return std::nullopt;
  const auto* step = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
  if (!step || !step->isOne()) return std::nullopt;
  return Mover{&phi, next, outer};
}

/// The comparisons of a moving pointer with an end, and the number of elements up to there. Nothing
/// when it is compared with something else, or never.
std::optional<std::vector<std::pair<llvm::ICmpInst*, std::int64_t>>>
ends(const Mover& pointer, const llvm::DataLayout& layout) {
  std::vector<std::pair<llvm::ICmpInst*, std::int64_t>> found;
  const auto stride = static_cast<std::int64_t>(
      layout.getTypeAllocSize(pointer.next->getSourceElementType()).getFixedValue());
  const llvm::Value* begin = pointer.at->getIncomingValue(pointer.outer);
  for (llvm::Instruction* one :
       {static_cast<llvm::Instruction*>(pointer.at), static_cast<llvm::Instruction*>(pointer.next)})
    for (llvm::User* user : one->users()) {
      auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(user);
      if (!comparison) continue;
      if (comparison->getOperand(0) != one) return std::nullopt;
      const auto bytes = apart(begin, comparison->getOperand(1), layout);
      if (!bytes || stride <= 0 || *bytes < 0 || *bytes % stride != 0) return std::nullopt;
      found.emplace_back(comparison, *bytes / stride);
    }
  if (found.empty()) return std::nullopt;
  return found;
}

void use_index(const Mover& pointer,
               const std::vector<std::pair<llvm::ICmpInst*, std::int64_t>>& ends) {
  llvm::PHINode* at = pointer.at;
  llvm::Value* begin = at->getIncomingValue(pointer.outer);
  llvm::Type* element = pointer.next->getSourceElementType();
  llvm::IRBuilder<> builder(at);
  llvm::PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2, "index");
  builder.SetInsertPoint(at->getParent(), at->getParent()->getFirstInsertionPt());
  llvm::Value* here = builder.CreateGEP(element, begin, index, "element");
  builder.SetInsertPoint(pointer.next);
  auto* more = llvm::BinaryOperator::CreateAdd(index, builder.getInt64(1), "index.next");
  more->insertBefore(pointer.next->getIterator());
  more->setDebugLoc(pointer.next->getDebugLoc());
  more->setMetadata(signed_arithmetic, llvm::MDNode::get(at->getContext(), {}));
  llvm::Value* after = builder.CreateGEP(element, begin, more, "element");
  index->addIncoming(builder.getInt64(0), at->getIncomingBlock(pointer.outer));
  index->addIncoming(more, at->getIncomingBlock(1 - pointer.outer));
  for (const auto& [comparison, count] : ends) {
    builder.SetInsertPoint(comparison);
    llvm::Value* left = comparison->getOperand(0) == at ? static_cast<llvm::Value*>(index) : more;
    llvm::Value* same = builder.CreateICmp(comparison->getPredicate(), left,
                                           builder.getInt64(static_cast<std::uint64_t>(count)));
    comparison->replaceAllUsesWith(same);
    comparison->eraseFromParent();
  }
  at->removeIncomingValue(1 - pointer.outer, false);
  pointer.next->replaceAllUsesWith(after);
  pointer.next->eraseFromParent();
  at->replaceAllUsesWith(here);
  at->eraseFromParent();
}

} // namespace

bool index_arrays(llvm::Module& module) {
  bool any = false;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
      std::vector<llvm::PHINode*> phis;
      for (llvm::PHINode& phi : loop->getHeader()->phis()) phis.push_back(&phi);
      for (llvm::PHINode* phi : phis)
        if (const auto found = mover(*loop, *phi))
          if (const auto stops = ends(*found, module.getDataLayout())) {
            use_index(*found, *stops);
            any = true;
          }
    }
  }
  return any;
}

bool fill_arrays(llvm::Module& module) {
  bool any = false;
  Analyses analyses;
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
    manager.run(function, analyses.functions);
  }
  return any;
}

} // namespace tacit
