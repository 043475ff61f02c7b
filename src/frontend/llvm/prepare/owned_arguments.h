// Arguments of class std::unique_ptr that the client hands over by value.
#pragma once

#include "frontend/llvm/facts/source_facts.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tacit {

/// A class of one pointer is handed over as the address of a temporary that holds it. What the
/// client chooses is the pointer: where nobody but clients calls a function, its parameter becomes
/// that, in the code and in the facts, and the temporary a local of the function. To be done before
/// locals are put into registers.
void take_owned_arguments(llvm::Module& code, SourceFacts& facts);

} // namespace tacit
