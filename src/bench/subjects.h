// Components of the papers that benchmarks run on: the `.tir` files of examples/, put into the
// program by the build (subjects.cpp.in).
#pragma once

#include <string_view>

namespace tacit {

/// The text of examples/NAME/NAME.tir; empty when the build did not put it in.
std::string_view subject_text(std::string_view name);

} // namespace tacit
