// The one finishing pass of all engines: minimise, number canonically, merge outcomes, label, find
// shortest words and example runs for every refusal, build the evidence, prune when asked to.
#pragma once

#include "base/story.h"
#include "interface/interface.h"
#include "oracle/oracle.h"
#include "synthesis/protocol.h"

namespace tacit {

struct FinishOptions {
  std::string engine;
  bool serial = false;
  std::size_t size_limit = 10'000; // states beyond which labels, examples and evidence are left out
  Story story;
  Verdict verdict; // what the engine claims
  /// A region per state of the protocol, if the engine has them: sites of errors are then known at
  /// any size.
  const std::vector<Region>* regions = nullptr;
};

/// `protocol` is what the engine found; `oracle` must be exact and is asked for labels, runs and
/// sites.
Interface finish(const Protocol& protocol, SetOracle& oracle, const FinishOptions& options);

} // namespace tacit
