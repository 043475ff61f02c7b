// The error of a constructor that makes no object because of its arguments. It always counts
// (docs/semantics.md, 2.8).
#pragma once

#include <string_view>

namespace tacit {

inline constexpr std::string_view no_object = "no object";

} // namespace tacit
