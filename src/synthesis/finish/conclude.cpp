#include "synthesis/finish/conclude.h"

#include "finite/bdd/bdd_oracle.h"
#include "finite/explicit.h"
#include "synthesis/finish/finish.h"

namespace tacit {

Result<std::unique_ptr<HidingOracle>> make_oracle(const Component& component,
                                                  const SynthesisOptions& options, Budget& budget) {
  if (options.representation == Representation::Bdd) {
    auto oracle = BddOracle::create(component, budget);
    if (!oracle) return std::unexpected(oracle.error());
    return std::move(*oracle);
  }
  auto oracle = ExplicitOracle::create(component, &budget);
  if (!oracle) return std::unexpected(oracle.error());
  return std::move(*oracle);
}

namespace {

// States of an automaton that is labelled although the budget is spent: sets of states that grow
// along its words make labels and runs quadratic or worse.
constexpr std::size_t largest_unfinished = 200;

FinishOptions finishing(const Component& component, const std::string& engine,
                        const SynthesisOptions& options, const std::vector<Region>* regions) {
  FinishOptions made{
      .engine = engine, .serial = options.serial, .story = options.story, .regions = regions};
  made.verdict.assumptions = component.assumptions();
  made.verdict.safe = Claim::Proved;
  return made;
}

} // namespace

Synthesis conclude(const Protocol& protocol, SetOracle& oracle, const std::string& engine,
                   const SynthesisOptions& options, const std::vector<Region>* regions) {
  const Component& component = oracle.component();
  FinishOptions made = finishing(component, engine, options, regions);
  if (component.has_unknowns()) {
    made.verdict.details["permissive"] = made.verdict.details["full"] =
        "a value is hidden behind an approximation: what is refused may be legal in truth";
  } else {
    made.verdict.permissive = made.verdict.full = Claim::Proved;
  }
  Synthesis result{finish(protocol, oracle, made), !component.has_unknowns()};
  result.interface.stats.set("representation", oracle.symbolic() ? "bdd" : "explicit");
  return result;
}

Synthesis conclude_incomplete(const Protocol& protocol, SetOracle& oracle,
                              const std::string& engine, const SynthesisOptions& options,
                              const Budget& budget, const std::vector<Region>* regions) {
  FinishOptions made = finishing(oracle.component(), engine, options, regions);
  made.size_limit = largest_unfinished;
  made.verdict.details["permissive"] = made.verdict.details["full"] =
      "the budget ran out: " + budget.reason();
  return {finish(protocol, oracle, made), false};
}

Synthesis give_up(SetOracle& oracle, const std::string& engine, const SynthesisOptions& options,
                  const Budget& budget) {
  Protocol nothing(oracle.component());
  const std::vector<bool> allowed(oracle.component().calls().size(), false);
  for (std::size_t k = 0; k < oracle.component().constructors().size(); ++k)
    nothing.dfa.add_entry(oracle.start(k) == empty_region ? no_state : nothing.add_state(allowed));
  return conclude_incomplete(nothing, oracle, engine, options, budget);
}

} // namespace tacit
