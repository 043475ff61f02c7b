#include "synthesis/finite/direct.h"

#include "logic/term/print.h"
#include "synthesis/finish/conclude.h"
#include "synthesis/protocol/explore.h"

namespace tacit {
namespace {

/// The errorless automaton, when it is small enough to be read.
void tell_exploration(const Story& story, const Exploration& explored, SetOracle& oracle) {
  const Dfa& dfa = explored.protocol.dfa;
  if (!story.told() || dfa.states() > 40) return;
  const Component& component = oracle.component();
  for (State q = 0; q < dfa.states(); ++q) {
    const auto label = oracle.describe(explored.regions[q]);
    std::string line;
    for (std::size_t c = 0; c < component.calls().size(); ++c) {
      if (!explored.protocol.allows(q, c)) {
        line += fmt::format(" {} errs;", component.calls()[c].name);
        continue;
      }
      for (std::size_t o = 0; o < component.calls()[c].outcomes.size(); ++o) {
        const auto letter = static_cast<Letter>(component.letter_of(c, o));
        if (const State to = dfa.next(q, letter); to != no_state)
          line += fmt::format(" {} to s{};", component.letter_name(letter), to);
      }
    }
    if (!line.empty()) line.back() = '.';
    story.tell("  s{} ({}):{}", q, label ? to_string(*label) : "…", line);
  }
}

} // namespace

Result<Synthesis> synthesise_direct(const Component& component, const SynthesisOptions& options,
                                    Budget& budget) {
  auto oracle = make_oracle(component, options, budget);
  if (!oracle) return std::unexpected(oracle.error());
  auto explored = explore(**oracle, budget);
  if (!explored) return std::unexpected(explored.error());
  options.story.tell("direct: explored {} sets of states{}", explored->regions.size(),
                     explored->complete ? "" : ", then the budget ran out");
  tell_exploration(options.story, *explored, **oracle);
  Synthesis result =
      explored->complete
          ? conclude(explored->protocol, **oracle, "direct", options, &explored->regions)
          : conclude_incomplete(explored->protocol, **oracle, "direct", options, budget,
                                &explored->regions);
  result.interface.stats.set("regions", explored->regions.size());
  return result;
}

} // namespace tacit
