// Handles that clients hold as `void*`: functions that take one first are taken to take a pointer
// to the struct as which the code sees it.
#pragma once

#include <string>
#include <vector>

#include <llvm/IR/Module.h>

#include "frontend/llvm/facts/source_facts.h"

namespace tacit {

/// `handle` is a struct, or a typedef of `void*`; the struct is the answer where it is found, else
/// `handle`.
std::string take_void_handles(const llvm::Module& module, SourceFacts& facts,
                              const std::string& handle,
                              const std::vector<std::string>& constructors);

} // namespace tacit
