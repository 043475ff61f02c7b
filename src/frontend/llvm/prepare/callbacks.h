// What functions do that others may see, and which functions a virtual call may mean.
#pragma once

#include <map>
#include <set>
#include <vector>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "frontend/llvm/facts/source_facts.h"

namespace tacit {

/// What a failed `assert` calls, and failed checks of the C++ library.
bool is_assert_failure(llvm::StringRef symbol);

class Callbacks {
public:
  Callbacks(const llvm::Module& code, const SourceFacts& facts);

  /// What a virtual call may mean: functions of the given code that stand at its place in a virtual
  /// table.
  std::vector<const llvm::Function*> virtual_candidates(const llvm::CallBase& call) const;
  static bool is_virtual(const llvm::CallBase& call);
  /// Whether a function runs code of the given source that does something.
  bool runs_own_code(const llvm::Function& function) const;
  /// Whether a library function runs constructors, destructors or comparisons of elements that
  /// change more than these, or ends objects whose destructors do.
  bool runs_elements(const llvm::Function& library) const;
  /// Whether a function may call what it does not name.
  bool may_call_unknown(const llvm::Function& function) const {
    return unknown_.contains(&function);
  }

private:
  bool in_given_code(const llvm::Instruction& instruction) const;
  bool does_something(const llvm::Instruction& instruction) const;
  bool ends_with_object(const llvm::Value& pointer, const llvm::Function& in) const;
  bool hands_pointers_on(const llvm::CallBase& call) const;
  bool holds_no_code(const std::string& class_name) const;
  bool calls_unknown(const llvm::Instruction& instruction) const;
  bool is_given(const llvm::Function& function) const;
  bool keeps_to_itself(const llvm::Function& function) const;
  void find_effects();
  bool acts_outside(const llvm::Instruction& instruction) const;
  std::vector<const llvm::Function*> destructors_of(const std::string& class_name) const;

  const llvm::Module& code_;
  const SourceFacts& facts_;
  std::set<const llvm::Function*> active_;  // do something, themselves or through callees
  std::set<const llvm::Function*> unknown_; // may call what they do not name
  mutable std::map<const llvm::Function*, bool> runs_elements_;
};

} // namespace tacit
