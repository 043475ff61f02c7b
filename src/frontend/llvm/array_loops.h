// Loops that the compiler makes to initialise and destroy arrays are no loops of the source.
#pragma once

#include <llvm/IR/Module.h>

namespace tacit {

/// Turns those that write zeros into memset, and unrolls those over few elements. Whether there
/// were any.
bool fill_arrays(llvm::Module& module);

} // namespace tacit
