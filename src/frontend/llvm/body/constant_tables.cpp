// Tables that nobody writes, read at places that are known only when the program runs: a choice
// among the entries by the indices.
#include <algorithm>
#include <functional>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include "frontend/llvm/body/function_lowering.h"

namespace tacit {

namespace {

/// The variable steps of an access to a table, the longest first.
struct TableSteps {
  struct Index {
    const llvm::Value* by = nullptr;
    std::int64_t scale = 0, first = 0, count = 0;
  };
  std::vector<Index> indices;
  std::int64_t offset = 0;
};

/// Nothing where the table is large, or where a step is no whole number of the next.
std::optional<TableSteps> table_steps(const llvm::Instruction& access,
                                      const llvm::GlobalVariable& table, std::int64_t size,
                                      const llvm::DataLayout& layout) {
  constexpr std::int64_t most = 64; // entries
  TableSteps found;
  const llvm::Value* at = llvm::getLoadStorePointerOperand(&access);
  while (const auto* gep = llvm::dyn_cast_or_null<llvm::GEPOperator>(at)) {
    llvm::MapVector<llvm::Value*, llvm::APInt> variable;
    llvm::APInt fixed(64, 0);
    if (!gep->collectOffset(layout, 64, variable, fixed)) return std::nullopt;
    found.offset += fixed.getSExtValue();
    for (const auto& [index, scale] : variable)
      found.indices.push_back({index, scale.getSExtValue(), 0});
    at = gep->getPointerOperand();
  }
  if (at != &table || found.indices.empty()) return std::nullopt;
  std::ranges::sort(found.indices, std::ranges::greater{}, &TableSteps::Index::scale);
  std::int64_t within = size, entries = 1;
  for (TableSteps::Index& index : found.indices) {
    if (index.scale <= 0) return std::nullopt;
    const bool alone = found.indices.size() == 1;
    if (!alone && (index.scale == within || within % index.scale != 0)) return std::nullopt;
    index.count = within / index.scale;
    // A step that stands alone may start anywhere, and go back from there.
    if (alone) index.first = -(found.offset / index.scale);
    entries *= index.count;
    within = index.scale;
  }
  const bool plain = found.offset == 0 || (found.indices.size() == 1 && found.offset > 0);
  return plain && entries <= most ? std::optional(found) : std::nullopt;
}

} // namespace

/// Tables that nobody writes.
std::optional<Held> FunctionLowering::read_constant(const llvm::GlobalVariable& global,
                                                    const Target& target, const llvm::Type* type,
                                                    const std::string& base) {
  auto* whole = const_cast<llvm::Constant*>(global.getInitializer());
  auto* wanted = const_cast<llvm::Type*>(type);
  const auto at = [&](std::int64_t offset) -> const llvm::Constant* {
    return llvm::ConstantFoldLoadFromConst(
        whole, wanted, llvm::APInt(64, static_cast<std::uint64_t>(offset)), lowering_.layout());
  };
  if (!target.index) {
    const llvm::Constant* found = at(target.offset);
    if (!found) return std::nullopt;
    if (found->getType()->isPointerTy()) return Held{.term = address(found)};
    return constant(*found);
  }
  const auto size = static_cast<std::int64_t>(
      lowering_.layout().getTypeAllocSize(global.getValueType()).getFixedValue());
  const auto steps = table_steps(*at_, global, size, lowering_.layout());
  if (!steps || (!type->isIntegerTy() && !type->isPointerTy())) return std::nullopt;
  // From the innermost step outwards, all ways that they may go.
  std::function<std::optional<Held>(std::size_t, std::int64_t)> choose_from =
      [&](std::size_t i, std::int64_t offset) -> std::optional<Held> {
    if (i == steps->indices.size()) {
      const llvm::Constant* found = offset >= 0 && offset < size ? at(offset) : nullptr;
      if (!found || llvm::isa<llvm::UndefValue>(found)) return std::nullopt;
      return type->isPointerTy() ? Held{.term = address(found)} : constant(*found);
    }
    const auto& step = steps->indices[i];
    const Term index = as(value(step.by), step.by->getType()->getIntegerBitWidth(), Sign::Signed);
    std::optional<Held> all;
    for (std::int64_t k = step.first + step.count - 1; k >= step.first; --k) {
      const std::int64_t there = offset + k * step.scale;
      if (steps->indices.size() == 1 && (there < 0 || there >= size)) continue;
      const auto one = choose_from(i + 1, there);
      if (!one) return std::nullopt;
      all = all ? choose(arena_.eq(index, arena_.integer(k)), *one, *all, type) : *one;
    }
    return all;
  };
  const auto all = choose_from(0, steps->offset);
  if (all) lowering_.assume("array indices stay within their arrays");
  (void)base;
  return all;
}

} // namespace tacit
