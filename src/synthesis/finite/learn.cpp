#include "synthesis/finite/learn.h"

#include "learning/learner.h"
#include "synthesis/finish/conclude.h"
#include "synthesis/protocol/words.h"

namespace tacit {
namespace {

std::string text(const Component& component, const Word& word) {
  std::string letters;
  for (Letter l : word) letters += (letters.empty() ? "" : " ") + component.letter_name(l);
  return letters.empty() ? "nothing" : letters;
}

/// Tells the story of the questions, as long as that is readable.
class TellingWords : public WordOracle {
public:
  TellingWords(WordOracle& inside, const Component& component, const Story& story)
      : inside_(inside), component_(component), story_(story) {}

  Answer ask(const Word& word) override {
    const Answer answer = inside_.ask(word);
    if (++asked_ <= most_told)
      story_.tell("  asked: {} is {}", text(component_, word), to_string(answer));
    else if (asked_ == most_told + 1)
      story_.tell("  further questions are not told");
    return answer;
  }

private:
  static constexpr std::size_t most_told = 200;

  WordOracle& inside_;
  const Component& component_;
  const Story& story_;
  std::size_t asked_ = 0;
};

/// Tells the story of the conjectures.
class TellingEquivalence : public EquivalenceOracle {
public:
  TellingEquivalence(EquivalenceOracle& inside, const Component& component, const Story& story)
      : inside_(inside), component_(component), story_(story) {}

  std::optional<Word> counterexample(const Hypothesis& hypothesis) override {
    story_.tell("learn: conjecture {} with {} states", ++conjectures_, hypothesis.states());
    auto word = inside_.counterexample(hypothesis);
    if (!word) {
      story_.tell("  it is safe and permissive");
      return word;
    }
    story_.tell("  counterexample: {} is {} by the conjecture, but not by the component",
                text(component_, *word), to_string(hypothesis.classify(*word)));
    return word;
  }

private:
  EquivalenceOracle& inside_;
  const Component& component_;
  const Story& story_;
  std::size_t conjectures_ = 0;
};

} // namespace

Result<Synthesis> synthesise_learn(const Component& component, const SynthesisOptions& options,
                                   Budget& budget) {
  auto oracle = make_oracle(component, options, budget);
  if (!oracle) return std::unexpected(oracle.error());
  Protocol protocol(component);
  LearnStatistics total;
  bool complete = true;
  std::map<Region, State> learned; // constructors that start alike share what was learned
  for (std::size_t k = 0; k < component.constructors().size(); ++k) {
    const Region start = (*oracle)->start(k);
    if (start == empty_region) {
      protocol.dfa.add_entry(no_state);
      continue;
    }
    if (!learned.contains(start)) {
      ComponentWords words(**oracle, start);
      TellingWords questions(words, component, options.story);
      ProductEquivalence equivalence(**oracle, start, words, budget);
      auto learner = make_learner(options.learner.value_or(LearnerKind::Tree), component.letters(),
                                  questions, {letter_groups(component), &budget});
      TellingEquivalence telling(equivalence, component, options.story);
      LearnResult result = learn(*learner, telling, budget);
      if (auto failure = (*oracle)->failure()) return std::unexpected(*failure);
      complete = complete && result.complete && !budget.exhausted_now();
      total.membership_queries += result.statistics.membership_queries;
      total.equivalence_queries += result.statistics.equivalence_queries;
      learned[start] = add_hypothesis(protocol, result.hypothesis, component);
    }
    protocol.dfa.add_entry(learned[start]);
  }
  if (!complete) return give_up(**oracle, "learn", options, budget);
  Synthesis result = conclude(protocol, **oracle, "learn", options);
  result.interface.stats.set("membership_queries",
                             static_cast<std::size_t>(total.membership_queries));
  result.interface.stats.set("equivalence_queries",
                             static_cast<std::size_t>(total.equivalence_queries));
  return result;
}

} // namespace tacit
