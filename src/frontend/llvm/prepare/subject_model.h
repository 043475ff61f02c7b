// A library class that is named itself and of which contracts say `outside`: its code is no own
// code, contracts stand for it, as they do where an object of the class is a part of another one.
#pragma once

#include <llvm/IR/Module.h>

#include "frontend/llvm/facts/source_facts.h"

namespace tacit {

/// The subject becomes a class around one object of the library's: it holds the facts that
/// contracts keep about that, and each of its calls does nothing but call the function of its name.
void put_model_around_subject(llvm::Module& module, SourceFacts& facts);

} // namespace tacit
