// Small interfaces instead of one large ("Permissive Interfaces", sections 5 and 6).
//
//   by errors   one interface per error property; a word is legal when all of them allow it
//   by slices   one interface per group of calls that share state: for each call that may err, the
//               variables its error depends on, the calls that write these, what those depend on,
//               and so on. Groups may overlap, as a call may matter to several.
//
// The product of the parts is compared with the undivided interface.
#pragma once

#include "synthesis/protocol/engine.h"

namespace tacit {

enum class Decomposition { ByErrors, BySlices };

/// Some calls and the state variables that decide when they err, by name.
struct Slice {
  std::vector<std::string> calls;
  std::vector<std::string> fields;
};

/// Largest ones only: a slice within another is left out.
std::vector<Slice> slices(const Component& component);

/// Fills in `whole.parts`, and says in the details of the verdict whether their product agrees.
/// `module` and `component` are what `whole` was made from.
Result<void> decompose(Decomposition by, const Module& module, const Component& component,
                       const Engine& engine, const SynthesisOptions& options, Budget& budget,
                       Interface& whole);

} // namespace tacit
