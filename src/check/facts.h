// What types say about values, as formulas over erased terms (erasure.h).
//
// Ranges of scalars are invariants by construction (program/ir/type.h). The elements of a map lie
// in their range too; that is said only for the elements that a formula reads, as saying it for all
// would take a quantifier.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/erasure.h"
#include "program/ir/type.h"

namespace tacit {

/// Range of an integer, number of enumerators, a reference is not negative; true when there is
/// nothing to say.
Term type_fact(TermArena& arena, const Type& type, Term erased);

/// An element of a map variable that a term reads, and its type.
struct ElementRead {
  Term read = nullptr;     // a selection from `variable`
  Term variable = nullptr; // of a map sort
  const Type* type = nullptr;
};

/// Reads through stores and conditionals count as reads of the variables underneath. In order of
/// creation, each once.
std::vector<ElementRead> element_reads(TermArena& arena, Term term, const TypeOf& type_of);

} // namespace tacit
