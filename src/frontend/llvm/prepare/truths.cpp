#include "frontend/llvm/prepare/truths.h"

#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

namespace tacit {

namespace {

/// Merges values, or combines them so that two truths make a truth.
bool passes_on(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::PHI:
  case llvm::Instruction::Select:
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Trunc: return true;
  default: return false;
  }
}

} // namespace

Truths::Truths(const llvm::Function& function, Load load, Call call)
    : load_(std::move(load)), call_(std::move(call)) {
  std::vector<const llvm::Instruction*> left;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (instruction.getType()->isIntegerTy() && passes_on(instruction)) {
      left.push_back(&instruction);
      found_.insert(&instruction);
    }
  const auto holds = [&](const llvm::Instruction& instruction) {
    const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    return std::ranges::all_of(instruction.operands(), [&](const llvm::Use& use) {
      return (choice && use.getOperandNo() == 0) || contains(use.get());
    });
  };
  for (bool changed = true; changed;)
    changed = std::erase_if(left, [&](const llvm::Instruction* instruction) {
                if (holds(*instruction)) return false;
                found_.erase(instruction);
                return true;
              }) > 0;
}

bool Truths::contains(const llvm::Value* value) const {
  if (value->getType()->isIntegerTy(1) || found_.contains(value)) return true;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
    return number->getValue().ule(1);
  if (llvm::isa<llvm::UndefValue>(value)) return true;
  if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(value)) return load_(*read);
  const auto* call = llvm::dyn_cast<llvm::CallBase>(value);
  return call && call_(*call);
}

} // namespace tacit
