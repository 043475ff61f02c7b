// The half of diff.h that compares guarded interfaces by concrete words.
#pragma once

#include "interface/diff.h"

namespace tacit {

struct GuardedDiffLimits {
  std::size_t pairs = 400;    // of places
  std::size_t calls = 50'000; // with arguments, tried in all of them: a second or two
};

/// The names that are not among the others, in order: what one side has and the other lacks.
std::vector<std::string> names_without(const std::vector<std::string>& names,
                                       const std::vector<std::string>& others);

DiffReport diff_guarded(const Interface& old_result, const Interface& new_result,
                        const GuardedDiffLimits& limits = {});

} // namespace tacit
