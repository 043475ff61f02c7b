// `std::string_view` is a text as `std::string` is, but goes in two registers: a length and a
// pointer. Here it goes by address as other objects of classes do, so that contracts, which keep
// facts about objects, can follow it.
#pragma once

#include "frontend/llvm/facts/source_facts.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tacit {

/// Parameters and results that are views are passed by address, and what copies one by its bytes
/// is its copy constructor. Functions whose registers are not laid out as expected stay what they
/// are. Before anything is inlined: the code is as clang makes it.
void pass_views_by_address(llvm::Module& module, SourceFacts& facts);

} // namespace tacit
