// The teacher of "Synthesis of Interface Specifications for Java Classes" (section 5.3): the
// partial-information safety game between a client and a finite component, as questions about
// words and about conjectures J.
//
//   Member(w)        no run along w may err: by the sets of states that w reaches
//   Subset(J)        AG ¬E on the component and J: no call that J allows errs. Exact.
//   Superset(J)      on the component and J, followed by one refused call: EF E for every refused
//                    call in every state. If so, J is most permissive. If not, the word into such
//                    a state is a counterexample if Member says so, and else tells nothing.
//   OneStepFurther   Member for two more letters behind the access word of every state
//
// Reachable sets, the states that err, and predecessors are decision diagrams when the oracle is
// symbolic. Beyond the paper, the game is also solved exactly: pairs of the set of states a word
// may have reached (a belief) and the state of J, as long as there are not too many.
#pragma once

#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/story.h"
#include "learning/hypothesis.h"
#include "synthesis/protocol/words.h"

namespace tacit {

/// Why nothing more was found.
enum class GameEnd {
  Superset, // most permissive: every refused call errs in every state
  Exact,    // most permissive: by beliefs
  Open,     // safe and maximal, perhaps not most permissive
};

struct GameCounts {
  std::size_t membership = 0; // asked by the teacher itself
  std::size_t subset = 0, superset = 0;
  std::size_t one_step = 0, one_step_found = 0; // times it was tried, and found something
  std::size_t exact = 0, exact_found = 0, beliefs = 0;

  /// Those of another way to start.
  void add(const GameCounts& more);
};

struct GameRules {
  bool one_step_further = true;
  bool exact = true;
  std::size_t most_beliefs = 20'000; // pairs of a belief and a state of J
  std::vector<Word> wanted;          // words that should be legal
};

class GameTeacher : public EquivalenceOracle {
public:
  /// All outlive the teacher.
  GameTeacher(SetOracle& oracle, Region start, ComponentWords& words, const GameRules& rules,
              const Story& story, Budget& budget)
      : oracle_(oracle), component_(oracle.component()), start_(start), words_(words),
        rules_(rules), story_(story), budget_(budget) {}

  /// Without a counterexample the conjecture is safe, and end() tells what else.
  std::optional<Word> counterexample(const Hypothesis& hypothesis) override;

  GameEnd end() const { return end_; }
  const GameCounts& counts() const { return counts_; }
  /// The word that Superset could not make use of, when the end is open or exact.
  const std::optional<Word>& disputed() const { return disputed_; }

  Answer member(const Word& word);

private:
  struct Layer {
    std::vector<Region> fresh; // per state of the conjecture
  };

  std::optional<Word> subset(const Hypothesis& hypothesis);
  /// nullopt inside: it holds; outside: the word, which may or may not be a counterexample.
  std::optional<Word> superset(const Hypothesis& hypothesis);
  std::optional<Word> one_step_further(const Hypothesis& hypothesis);
  /// Outside: not affordable.
  std::optional<std::optional<Word>> exactly(const Hypothesis& hypothesis);
  Word word_into(const Hypothesis& hypothesis, std::size_t depth, State state, Region part);
  Letter first_letter(std::size_t call) const {
    return static_cast<Letter>(component_.letter_of(call, 0));
  }

  SetOracle& oracle_;
  const Component& component_;
  Region start_;
  ComponentWords& words_;
  const GameRules& rules_;
  const Story& story_;
  Budget& budget_;
  std::vector<Layer> layers_; // of the component and J, breadth first
  GameEnd end_ = GameEnd::Open;
  GameCounts counts_;
  std::optional<Word> disputed_;
};

/// `push pop:returns=1`, or "nothing".
std::string word_text(const Component& component, const Word& word);

} // namespace tacit
