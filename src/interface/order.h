// The order of the parts of a result, which readers of files of others have to make.
#pragma once

#include <optional>
#include <string>

#include "interface/interface.h"

namespace tacit {

/// Sorts transitions and refusals as Interface says, and makes the evidence refer to where they
/// went.
void sort_parts(Interface& interface);

struct Repeated {
  std::string part; // "transitions", "forbidden"
  std::size_t index = 0;
  std::string message;
};

/// Something that is listed twice, in the order of the file, so that the later of two is blamed.
/// Transitions of one outcome are told apart by their cells.
std::optional<Repeated> first_repeated(const Interface& interface);

} // namespace tacit
