// Results as files. Writing streams, so that a million states work; reading checks everything that
// other code relies on and says what is wrong and where.
#pragma once

#include <ostream>
#include <string>

#include "interface/interface.h"

namespace tacit {

void write_interface(std::ostream& out, const Interface& interface);
std::string to_json(const Interface& interface);

/// `inconsistencies` receives contradictions between parts that evidence checking can judge (a call
/// both allowed and refused, a transition of a call that is not allowed, a refused one without
/// entry). When it is null they are errors.
Result<Interface> read_interface(std::string_view text, const std::string& file,
                                 std::vector<std::string>* inconsistencies = nullptr);

/// The component that a result is about, rebuilt from its text and options.
Result<Component> component_of(const Interface& interface);

} // namespace tacit
