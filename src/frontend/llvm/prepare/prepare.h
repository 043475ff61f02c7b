// Brings LLVM modules into the shape that is lowered: linked into one, own code inlined, locals in
// registers. Nothing here changes what the code does.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "frontend/llvm/facts/source_facts.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace tacit {

/// The metadata of an operation that the source makes on numbers with a sign.
inline constexpr const char* signed_arithmetic = "tacit.signed";

Result<std::unique_ptr<llvm::Module>>
link_modules(std::vector<std::unique_ptr<llvm::Module>> modules);

/// At an argument of a call: it was the address of a field, not of the object that starts with it.
inline constexpr const char* field_argument_mark = "tacit-field";

/// Inlines what is looked into, resolves virtual calls on the subject unless its methods may be
/// `overridden`, and promotes locals. Functions that stay calls although they have code are
/// recursive or too large.
void prepare_module(llvm::Module& module, const SourceFacts& facts, bool overridden,
                    std::vector<std::string>& notes);

} // namespace tacit
