// `tacit bench contractor`: the engine epa on the subjects of Enabledness-based Abstractions, the
// published figures of its Tables II to IV beside ours.
#pragma once

#include <ostream>
#include <string>

#include "base/diagnostic.h"

namespace tacit {

struct ContractorBench {
  std::string folder = "examples"; // where the subjects are
  std::size_t workers = 2;         // besides one
  double seconds_allowed = 30;     // per run
};

/// Fails when a subject cannot be read. What is not as published is listed with its reason. The
/// answer is whether all figures are as recorded for our models: sizes and splittings, all
/// transitions certain, few enough queries.
Result<bool> bench_contractor(std::ostream& out, const ContractorBench& options);

} // namespace tacit
