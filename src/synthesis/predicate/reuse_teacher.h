// The teacher of LearnReuse (maymust.h): answers the learner's questions about words and
// conjectures from the two abstractions.
#pragma once

#include <set>

#include "synthesis/predicate/maymust_abstractions.h"
#include "synthesis/predicate/predicate_labels.h"
#include "synthesis/protocol/words.h"

namespace tacit {

/// Algorithms 2 to 4: answers for the component itself, from abstractions that are refined until
/// they agree about the word. One per constructor.
class ReuseTeacher : public WordOracle, public EquivalenceOracle {
public:
  /// `turn` ends when nothing more can be asked. All outlive the teacher.
  ReuseTeacher(MayMustAbstractions& both, std::size_t constructor, Budget& turn);

  /// Algorithm 2, Query, and the same without telling.
  Answer ask(const Word& word) override;
  Answer query(const Word& word);
  /// Oracles 1 and 2.
  std::optional<Word> counterexample(const Hypothesis& hypothesis) override;

  /// Why the turn was ended, if it was because a word could not be settled.
  const std::string& unsettled() const { return unsettled_; }

private:
  /// A place where may and must do not agree with a hypothesis.
  struct Doubt {
    Trace trace; // with a call, or with a last letter
    bool permissive = false;
    State state = 0;
    std::string_view what;

    Word word(const Component& component) const;
  };

  /// What comes up while a word is asked; the word itself is told first.
  template <class... Args> void remark(fmt::format_string<Args...> format, Args&&... args) {
    if (!asked_.empty()) tell("query {}", std::exchange(asked_, ""));
    tell(format, std::forward<Args>(args)...);
  }
  template <class... Args> void tell(fmt::format_string<Args...> format, Args&&... args) {
    constexpr std::size_t most_told = 400; // lines that somebody may read
    if (++told_ <= most_told)
      both_.story().tell(format, std::forward<Args>(args)...);
    else if (told_ == most_told + 1)
      both_.story().tell("further questions are not told");
  }

  std::string text(const Word& word) const {
    return both_.text({constructor_, std::vector<std::size_t>(word.begin(), word.end()), {}});
  }
  bool over();
  std::optional<Answer> try_query(const Word& word);
  std::optional<bool> judge_error(const Trace& trace, Region region);
  std::optional<Word> counterexample_by(const Doubt& doubt, const Hypothesis& hypothesis);
  std::optional<Doubt> first_doubt(const Protocol& protocol);
  std::optional<Doubt> unpermissive(const Protocol& protocol, const CubeLabels& labels);
  bool explain(const Doubt& doubt);
  void seed_words(const Interface& seed);

  MayMustAbstractions& both_;
  const Component& component_;
  std::size_t constructor_;
  Budget& turn_;
  std::string asked_; // being asked, and not told yet
  std::size_t told_ = 0, conjectures_ = 0;
  std::set<std::pair<State, std::size_t>> hard_; // refusals that labels do not show
  std::set<Word> possible_;                      // asked because must did not know
  std::vector<Word> seed_words_;
  std::size_t next_seed_ = 0;
  std::string unsettled_;
};

} // namespace tacit
