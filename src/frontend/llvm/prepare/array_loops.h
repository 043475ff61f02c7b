// Arrays, before anything else sees them: loops that the compiler makes to initialise and destroy
// them are no loops of the source, and pointers that run through an array or lead to one of its
// elements become indices.
#pragma once

#include <llvm/IR/Module.h>

namespace tacit {

/// Turns loops of the compiler that write zeros into memset, and unrolls those over few elements.
/// Whether there were any.
bool fill_arrays(llvm::Module& module);

/// Rewrites a pointer that moves from element to element, up to an end that lies a known number of
/// elements on, as an index. Whether there were any.
bool index_arrays(llvm::Module& module);

/// Rewrites pointers that are null or lead to some element of one array as an index and whether
/// they are null (array_choices.cpp). Whether there were any.
bool index_choices(llvm::Module& module);

} // namespace tacit
