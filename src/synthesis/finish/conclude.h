// What the engines over finite spaces share: the choice of a representation, and the verdict.
#pragma once

#include <memory>

#include "oracle/oracle.h"
#include "synthesis/protocol/engine.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {

Result<std::unique_ptr<HidingOracle>> make_oracle(const Component& component,
                                                  const SynthesisOptions& options, Budget& budget);

/// The interface of a protocol that is exact for the oracle: finished, with all claims that its
/// evidence can carry. `regions` as in FinishOptions.
Synthesis conclude(const Protocol& protocol, SetOracle& oracle, const std::string& engine,
                   const SynthesisOptions& options, const std::vector<Region>* regions = nullptr);

/// When the budget ran out before anything was known: the interface that allows nothing.
Synthesis give_up(SetOracle& oracle, const std::string& engine, const SynthesisOptions& options,
                  const Budget& budget);

/// The same for an automaton that is safe but was not explored to its end.
Synthesis conclude_incomplete(const Protocol& protocol, SetOracle& oracle,
                              const std::string& engine, const SynthesisOptions& options,
                              const Budget& budget, const std::vector<Region>* regions = nullptr);

} // namespace tacit
