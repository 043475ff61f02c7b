// Own code that runs although no instruction of own code calls it: functions whose address is
// handed out, and virtual functions of the given code.
#pragma once

#include <set>
#include <vector>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "frontend/llvm/source_facts.h"

namespace tacit {

class Callbacks {
public:
  Callbacks(const llvm::Module& code, const SourceFacts& facts);

  /// Functions with effects whose address is kept or handed to others.
  const std::vector<const llvm::Function*>& handed_out() const { return handed_out_; }
  /// What a call through a pointer may mean: functions of the given code of that type. For a
  /// virtual call those that stand at its place in a virtual table.
  std::vector<const llvm::Function*> candidates(const llvm::CallBase& call) const;
  static bool is_virtual(const llvm::CallBase& call);
  /// Whether a function of a library has code of the given source within it that does something.
  bool runs_own_code(const llvm::Function& function) const;
  /// Whether a callee may call what was handed out, now or before.
  bool may_call_back(const llvm::CallBase& call) const;

private:
  bool in_given_code(const llvm::Instruction& instruction) const;
  bool does_something(const llvm::Instruction& instruction) const;
  bool calls_unknown(const llvm::Instruction& instruction) const;
  bool is_given(const llvm::Function& function) const;
  bool keeps_to_itself(const llvm::Function& function) const;
  void find_effects();

  const llvm::Module& code_;
  const SourceFacts& facts_;
  std::vector<const llvm::Function*> addressed_; // of the given code, whatever they do
  std::vector<const llvm::Function*> handed_out_;
  std::set<const llvm::Function*> active_;  // do something, themselves or through callees
  std::set<const llvm::Function*> unknown_; // may call what they do not name
};

} // namespace tacit
