// Numbers that are Booleans: C has flags of all widths, and clang keeps `bool` in bytes.
#pragma once

#include <functional>
#include <set>

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace tacit {

/// The merged and combined values of a function that are 0 or 1 whatever happens: assumes all, and
/// takes away what is fed from elsewhere.
class Truths {
public:
  /// Tells of a load, and of a call, whether it gives nothing but 0 and 1.
  using Load = std::function<bool(const llvm::LoadInst&)>;
  using Call = std::function<bool(const llvm::CallBase&)>;

  Truths(const llvm::Function& function, Load load, Call call);

  bool contains(const llvm::Value* value) const;

private:
  Load load_;
  Call call_;
  std::set<const llvm::Value*> found_;
};

} // namespace tacit
