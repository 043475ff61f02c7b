// Small interfaces instead of one large ("Permissive Interfaces", sections 5 and 6).
//
//   by errors   one interface per error property; a word is legal when all of them allow it
//   by slices   one interface per group of calls that share state: for each call that may err, the
//               variables its error depends on, the calls that write these, what those depend on,
//               and so on. Groups may overlap, as a call may matter to several.
//
// The product of the parts is compared with the undivided interface.
#pragma once

#include "component/component.h"
#include "interface/interface.h"

namespace tacit {

enum class Decomposition { ByErrors, BySlices };

/// Some calls and the state variables that decide when they err, by name.
struct Slice {
  std::vector<std::string> calls;
  std::vector<std::string> fields;
};

/// Largest ones only: a slice within another is left out.
std::vector<Slice> slices(const Component& component);

/// One of the smaller interfaces: what it is called, and its component.
struct PartPlan {
  std::string name;
  std::vector<std::string> fields; // that matter to it; empty when nobody looked
  ComponentOptions options;
};
std::vector<PartPlan> plan_parts(Decomposition by, const Component& component);

/// Says in the details of the verdict whether the product of `whole.parts` agrees with it.
void compare_parts(Interface& whole);

/// Of groups of calls whose evidence has been checked: where the whole is open and they are proved,
/// their product is what is legal. It may have too many states to be written down, or looked for.
void tell_product(Interface& whole);

} // namespace tacit
