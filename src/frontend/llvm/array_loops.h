// Loops over arrays, before anything else sees them: those that the compiler makes to initialise
// and destroy arrays are no loops of the source, and pointers that run through an array become
// indices.
#pragma once

#include <llvm/IR/Module.h>

namespace tacit {

/// Turns loops of the compiler that write zeros into memset, and unrolls those over few elements.
/// Whether there were any.
bool fill_arrays(llvm::Module& module);

/// Rewrites a pointer that moves from element to element, up to an end that lies a known number of
/// elements on, as an index. Whether there were any.
bool index_arrays(llvm::Module& module);

} // namespace tacit
