// Steps into objects, as LLVM has them.
#pragma once

#include <cstdint>
#include <optional>

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

namespace tacit {

/// How many bytes one index of a step goes on; nullopt where it is no constant.
inline std::optional<std::int64_t> constant_step(const llvm::gep_type_iterator& at,
                                                 const llvm::DataLayout& layout) {
  const auto* index = llvm::dyn_cast<llvm::ConstantInt>(at.getOperand());
  if (!index) return std::nullopt;
  if (llvm::StructType* in = at.getStructTypeOrNull())
    return static_cast<std::int64_t>(
        layout.getStructLayout(in)->getElementOffset(index->getZExtValue()).getFixedValue());
  return index->getSExtValue() *
         static_cast<std::int64_t>(at.getSequentialElementStride(layout).getFixedValue());
}

} // namespace tacit
