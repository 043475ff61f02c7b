#include "learning/counterexample.h"

#include <vector>

#include "base/should.h"

namespace tacit {

std::optional<Breakpoint> find_breakpoint(const Hypothesis& hypothesis, Word counterexample,
                                          Knowledge& knowledge) {
  const auto truth = knowledge.ask(counterexample);
  if (!truth) return std::nullopt;
  should(*truth != hypothesis.classify(counterexample),
         "a counterexample should be answered differently by hypothesis and oracle");

  // The states along the word as long as they are live. What follows the letter into a
  // sink cannot matter if the true answer is Legal, as then all prefixes are.
  std::vector<State> states{hypothesis.entry};
  while (states.size() <= counterexample.size()) {
    const State to = hypothesis.target(states.back(), counterexample[states.size() - 1]);
    if (!live(to)) break;
    states.push_back(to);
  }
  if (*truth == Answer::Legal && states.size() < counterexample.size())
    counterexample.resize(states.size());

  const auto shortcut = [&](std::size_t i) {
    Word word = hypothesis.access[states[i]];
    word.insert(word.end(), counterexample.begin() + static_cast<std::ptrdiff_t>(i),
                counterexample.end());
    return word;
  };

  // The answers at low and high differ. At the last live state the answer is that of the
  // hypothesis, since one-letter extensions are known.
  std::size_t low = 0;
  std::size_t high = states.size() - 1;
  Answer at_high = hypothesis.classify(counterexample);
  while (high - low > 1) {
    // Answers that are known cost nothing; the one nearest to the middle helps most.
    const std::size_t middle = low + (high - low) / 2;
    std::size_t at = middle;
    for (std::size_t distance = 0; distance <= high - middle; ++distance) {
      if (middle + distance < high && knowledge.known(shortcut(middle + distance))) {
        at = middle + distance;
        break;
      }
      if (low + distance < middle && knowledge.known(shortcut(middle - distance))) {
        at = middle - distance;
        break;
      }
    }
    const auto answer = knowledge.ask(shortcut(at));
    if (!answer) return std::nullopt;
    if (*answer == at_high) {
      high = at;
    } else {
      low = at;
    }
  }
  // Both ends have to be known, not only inferred from the hypothesis.
  if (!knowledge.ask(shortcut(high)) || !knowledge.ask(shortcut(low))) return std::nullopt;
  should(high < counterexample.size(), "the answers should change before the last letter");
  return Breakpoint{
      states[low], counterexample[low], states[high],
      Word(counterexample.begin() + static_cast<std::ptrdiff_t>(high), counterexample.end())};
}

} // namespace tacit
