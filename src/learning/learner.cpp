#include "learning/learner.h"

#include <utility>

#include "base/should.h"
#include "learning/discrimination_tree.h"
#include "learning/observation_table.h"

namespace tacit {

std::unique_ptr<Learner> make_learner(LearnerKind kind, std::size_t letters, WordOracle& oracle,
                                      LearnerOptions options) {
  switch (kind) {
  case LearnerKind::Table:
    return std::make_unique<ObservationTable>(letters, oracle, std::move(options));
  case LearnerKind::Tree:
    return std::make_unique<DiscriminationTree>(letters, oracle, std::move(options));
  }
  should_not_be_reached("a learner should be of a known kind");
}

LearnResult learn(Learner& learner, EquivalenceOracle& equivalence, Budget& budget) {
  LearnResult result;
  for (;;) {
    const Hypothesis& hypothesis = learner.hypothesis();
    if (learner.stopped() || budget.exhausted_now()) break;
    ++result.statistics.equivalence_queries;
    const auto counterexample = equivalence.counterexample(hypothesis);
    // An oracle that runs out of budget may come back with nothing, or with anything.
    if (budget.exhausted_now()) break;
    if (!counterexample) {
      result.complete = true;
      break;
    }
    result.statistics.counterexample_lengths.push_back(counterexample->size());
    learner.refine(*counterexample);
  }
  result.hypothesis = learner.hypothesis();
  result.statistics.membership_queries = learner.queries();
  result.statistics.letters_in_queries = learner.letters_in_queries();
  return result;
}

} // namespace tacit
