#include "learning/hypothesis.h"

#include <gtest/gtest.h>

#include "automata/canonical.h"
#include "automata/minimise.h"
#include "base/should.h"
#include "unit/learning/teacher.h"

namespace tacit {
namespace {

// Two letters: 0 toggles between two states, 1 errs in the first and cannot happen in the
// second. Written with the entry as the last state.
Hypothesis toggle() {
  Hypothesis machine;
  machine.letters = 2;
  const State second = machine.add_state({0});
  const State first = machine.add_state({0, 0});
  machine.set_target(first, 0, second);
  machine.set_target(second, 0, first);
  machine.set_target(second, 1, cannot_happen_sink);
  machine.entry = first;
  return machine;
}

TEST(Hypothesis, ClassifiesWithSinksThatStay) {
  const Hypothesis machine = toggle();
  EXPECT_EQ(machine.classify(Word{}), Answer::Legal);
  EXPECT_EQ(machine.classify(Word{0, 0, 0}), Answer::Legal);
  EXPECT_EQ(machine.classify(Word{1}), Answer::Illegal);
  EXPECT_EQ(machine.classify(Word{1, 0, 1}), Answer::Illegal);
  EXPECT_EQ(machine.classify(Word{0, 1}), Answer::CannotHappen);
  EXPECT_EQ(machine.classify(Word{0, 1, 0, 1}), Answer::CannotHappen);
}

TEST(Hypothesis, IsNumberedCanonically) {
  const Hypothesis machine = canonical(toggle());
  EXPECT_EQ(machine.entry, 0u);
  EXPECT_EQ(machine.access, (std::vector<Word>{{}, {0}}));
  EXPECT_EQ(machine.next, (std::vector<State>{1, illegal_sink, 0, cannot_happen_sink}));
  EXPECT_EQ(canonical(machine), machine);
}

TEST(Hypothesis, DropsUnreachableStates) {
  Hypothesis machine = toggle();
  machine.add_state({1});
  EXPECT_EQ(canonical(machine), canonical(toggle()));
}

TEST(Hypothesis, BecomesADfaOfItsLiveStates) {
  const Hypothesis machine = canonical(toggle());
  Dfa expected(2);
  expected.add_state();
  expected.add_state();
  expected.set_next(0, 0, 1);
  expected.set_next(1, 0, 0);
  expected.add_entry(0);
  EXPECT_EQ(machine.to_dfa(), expected);
  EXPECT_EQ(machine.target(0, 1), illegal_sink);
  EXPECT_EQ(machine.target(1, 1), cannot_happen_sink);
}

TEST(Hypothesis, KeepsTheSinksApartInADfa) {
  const Dfa dfa = canonical(toggle()).to_dfa_with_sinks();
  EXPECT_EQ(dfa.states(), 4u);
  EXPECT_EQ(dfa.colour(dfa.run(0, {1, 1})), 0u);
  EXPECT_EQ(dfa.colour(dfa.run(0, {0, 1, 0})), 2u);
  EXPECT_EQ(minimise(dfa).dfa.states(), 4u);
}

TEST(Hypothesis, IsEmptyWhenTheEmptyWordIsNotLegal) {
  for (State sink : {illegal_sink, cannot_happen_sink}) {
    Hypothesis machine;
    machine.letters = 1;
    machine.entry = sink;
    EXPECT_EQ(canonical(machine), machine);
    EXPECT_EQ(machine.states(), 0u);
    EXPECT_EQ(machine.classify(Word{}), answer_of(sink));
    EXPECT_EQ(machine.classify(Word{0}), answer_of(sink));
    EXPECT_EQ(machine.to_dfa().entries()[0], no_state);
    EXPECT_EQ(sink_for(answer_of(sink)), sink);
  }
}

// The numbering and the minimal machine that the automata layer finds, for a two-valued
// language; it knows nothing of hypotheses.
TEST(Hypothesis, AgreesWithTheAutomataLayer) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Hypothesis machine = test::sparse_language(seed);
    EXPECT_EQ(minimise(canonical(machine.to_dfa()).dfa).dfa, machine.to_dfa());
  }
}

TEST(Hypothesis, RejectsOpenTransitions) {
  EXPECT_THROW(answer_of(no_state), InternalError);
  EXPECT_THROW(sink_for(Answer::Legal), InternalError);
}

} // namespace
} // namespace tacit
