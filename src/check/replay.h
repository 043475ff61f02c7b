// Runs the concrete examples of a result in the interpreter: every refusal's run must follow its
// word and end in the named error, every transition's example must do what it says.
//
// Inputs are written as text; their types are known only when the interpreter asks for them, so a
// run is extended one input at a time.
#pragma once

#include <optional>
#include <string_view>

#include "check/report.h"
#include "check/structure.h"
#include "component/component.h"

namespace tacit {

/// `true`, `-3`, `SIGN`, `null`, `ref(4)`; maps as `{otherwise: 0, 1: 5}` or `all(0)[1 := 5]`.
/// nullopt when the text is no value of the sort.
std::optional<Value> parse_value(std::string_view text, Sort sort);

void check_runs(const Interface& interface, const Component& component, const Alignment& alignment,
                Findings& findings);

} // namespace tacit
