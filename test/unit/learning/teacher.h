// Languages to learn and exact teachers for them; shared by the tests of this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "automata/dfa.h"
#include "learning/hypothesis.h"
#include "learning/oracle.h"

namespace tacit::test {

/// The language of a Dfa: what it rejects is Illegal.
Hypothesis language(const Dfa& dfa);

/// The same from the text format of automata/text.h; a state named `C` with colour 2 stands
/// for CannotHappen.
Hypothesis language(std::string_view text);

/// Minimal and canonical, computed by the automata layer.
Hypothesis minimal(const Hypothesis& language);

/// A reproducible source of numbers, the same on every platform.
class Dice {
public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t between(std::uint32_t least, std::uint32_t greatest) {
    return least + static_cast<std::uint32_t>(engine_() % (greatest - least + 1));
  }
  bool chance(double probability) { return engine_() < probability * 4294967296.0; }

private:
  std::mt19937 engine_;
};

/// 10 to 200 states, 5 to 40 letters, 1.2 to 3 Legal letters per state on average, as in
/// protocols where most calls are out of turn most of the time. Minimal.
Hypothesis sparse_language(std::uint32_t seed);

/// Like a class with a few small fields, and methods that test one or two of them and
/// assign up to two. Many calls are Legal and change nothing. Minimal.
Hypothesis field_language(std::uint32_t seed);

/// All three answers, with calls of one to three outcomes; fills `groups`. Minimal.
Hypothesis grouped_language(std::uint32_t seed, LetterGroups& groups);

/// Answers from the machine.
class ExactOracle : public WordOracle {
public:
  explicit ExactOracle(const Hypothesis& language) : language_(language) {}
  Answer ask(const Word& word) override { return language_.classify(word); }

private:
  const Hypothesis& language_;
};

/// Fails the test when a question follows from earlier answers; keeps all questions.
class CheckingOracle : public WordOracle {
public:
  explicit CheckingOracle(WordOracle& inside, LetterGroups groups = {})
      : inside_(inside), groups_(std::move(groups)) {}
  Answer ask(const Word& word) override;
  const std::vector<Word>& asked() const { return asked_; }

private:
  WordOracle& inside_;
  LetterGroups groups_;
  std::map<Word, Answer> answers_; // with the prefixes of Legal words
  std::vector<Word> asked_;
};

enum class Counterexamples {
  Shortest,
  Long,     ///< long random walks with cycles, followed by letters that do not matter
  Repeated, ///< a long one, again and again as long as it is one
};

/// None means that the hypothesis is right.
class ExactTeacher : public EquivalenceOracle {
public:
  ExactTeacher(const Hypothesis& language, Counterexamples kind, std::uint32_t seed = 1)
      : language_(language), dfa_(language.to_dfa_with_sinks()), kind_(kind), dice_(seed) {}
  std::optional<Word> counterexample(const Hypothesis& hypothesis) override;

private:
  std::optional<Word> long_walk(const Hypothesis& hypothesis);

  const Hypothesis& language_;
  Dfa dfa_;
  Counterexamples kind_;
  Dice dice_;
  Word last_;
};

struct Subject {
  std::string name;
  Hypothesis language; ///< minimal and canonical
};

/// Small languages written by hand, and the NASA CEV as the last.
std::vector<Subject> catalogue();

/// 31 states, 26 letters.
Hypothesis nasa_cev();

} // namespace tacit::test
