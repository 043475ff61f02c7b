#include "synthesis/direct.h"

#include "synthesis/conclude.h"
#include "synthesis/explore.h"

namespace tacit {

Result<Synthesis> synthesise_direct(const Component& component, const SynthesisOptions& options,
                                    Budget& budget) {
  auto oracle = make_oracle(component, options, budget);
  if (!oracle) return std::unexpected(oracle.error());
  auto explored = explore(**oracle, budget);
  if (!explored) return std::unexpected(explored.error());
  options.story.tell("direct: explored {} sets of states{}", explored->regions.size(),
                     explored->complete ? "" : ", then the budget ran out");
  Synthesis result =
      explored->complete
          ? conclude(explored->protocol, **oracle, "direct", options, &explored->regions)
          : conclude_incomplete(explored->protocol, **oracle, "direct", options, budget,
                                &explored->regions);
  result.interface.stats.set("regions", explored->regions.size());
  options.story.tell("direct: minimised to {} states", result.interface.states.size());
  return result;
}

} // namespace tacit
