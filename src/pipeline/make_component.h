// From a module to what engines work on.
#pragma once

#include "component/component.h"

namespace tacit {

/// Builds the component and rejects letters that overlap, which takes a solver.
/// `nothing`: no mistake where none of the named errors can happen.
Result<Component> make_component(const Module& module, const ComponentOptions& options,
                                 bool nothing = false);

/// The Boolean program over these predicates that the engine `game` plays on; over the guards of
/// errors where there are none.
Result<Module> lower_to_predicates(const Module& module, const ComponentOptions& options,
                                   const std::vector<std::string>& predicates);

} // namespace tacit
