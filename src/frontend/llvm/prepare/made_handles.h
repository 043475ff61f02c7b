// Constructors of C that make the handle themselves: `T* open(…)` instead of `int init(T*, …)`.
//
// Such a function is given a copy that takes the handle first: the memory that it allocates and
// returns is the handle's. Runs that return nothing make no object and are left out.
#pragma once

#include <string>
#include <vector>

#include <llvm/IR/Module.h>

#include "base/diagnostic.h"
#include "frontend/llvm/facts/source_facts.h"

namespace tacit {

/// Stands where a constructor ends without an object because of its arguments.
inline constexpr const char* no_object_function = "__no_object";

/// For each of the named functions that returns a pointer to the handle, or puts it through a
/// parameter, and takes none. Adds their facts, and the struct around the handle if it is only the
/// first part of what is made.
Result<void> take_made_handles(llvm::Module& module, SourceFacts& facts, const std::string& handle,
                               const std::vector<std::string>& constructors);

} // namespace tacit
