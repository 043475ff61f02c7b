#include "learning/discrimination_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/should.h"
#include "learning/counterexample.h"

namespace tacit {

namespace {

constexpr std::uint8_t unknown = 0b111;

std::uint8_t bit(Answer answer) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(answer));
}

// 0, 1, 2 for the single answers in the order of Answer, 3 for unknown.
std::size_t index(std::uint8_t possible) {
  return possible == unknown ? 3 : static_cast<std::size_t>(std::countr_zero(possible));
}

} // namespace

DiscriminationTree::DiscriminationTree(std::size_t letters, WordOracle& oracle,
                                       LearnerOptions options)
    : knowledge_(letters, oracle, std::move(options.groups), options.budget) {
  machine_.letters = letters;
  hypothesis_.letters = letters;
  for (Letter letter = 0; letter < letters; ++letter) suffixes_.push_back({letter});
  seen_.resize(letters);
}

DiscriminationTree::Row DiscriminationTree::make_row(Word word) const {
  const AnswerTrie::Node node = knowledge_.trie().legal_node(word);
  return Row{std::move(word), node, {}};
}

// Takes over what has become known since the last time, from the suffix `first` on.
void DiscriminationTree::update(Row& row, std::size_t first) const {
  row.answers.resize(suffixes_.size(), unknown);
  for (std::size_t i = first; i < suffixes_.size(); ++i)
    if (row.answers[i] == unknown)
      if (const auto answer = knowledge_.trie().find(row.node, suffixes_[i]))
        row.answers[i] = bit(*answer);
}

// The same for a state, whose answers are also counted.
void DiscriminationTree::update_state(State state, std::size_t first) {
  Row& row = states_[state];
  const std::vector<Possible> before = row.answers;
  update(row, first);
  for (std::size_t i = first; i < suffixes_.size(); ++i)
    if (row.answers[i] != unknown && (i >= before.size() || before[i] == unknown))
      ++seen_[i][index(row.answers[i])];
}

bool DiscriminationTree::separated(const Row& left, const Row& right) {
  const std::size_t common = std::min(left.answers.size(), right.answers.size());
  for (std::size_t i = 0; i < common; ++i)
    if ((left.answers[i] & right.answers[i]) == 0) return true;
  return false;
}

// What else follows from the answer follows for the states with that answer too, so it would
// separate nothing more. False: stopped.
bool DiscriminationTree::ask(Row& row, std::size_t suffix) {
  Word word = row.word;
  word.insert(word.end(), suffixes_[suffix].begin(), suffixes_[suffix].end());
  const auto answer = knowledge_.ask(word);
  if (!answer) return false;
  row.answers[suffix] = bit(*answer);
  return true;
}

// Should be called with a word that is separated from all states. False: stopped.
bool DiscriminationTree::add_state(const Word& word) {
  if (!knowledge_.ask_extensions(word)) return false;
  const State state = machine_.add_state(word, no_state);
  states_.push_back(make_row(word));
  arrivals_.resize(arrivals_.size() + machine_.letters, 0);
  update_state(state, 0);

  // Transitions that might as well lead here have to be sifted further.
  for (std::size_t i = 0; i < transitions_.size(); ++i) {
    Row& row = transitions_[i].row;
    if (transitions_[i].target == no_state || separated(row, states_[state])) continue;
    update(row, 0);
    if (!separated(row, states_[state])) open(i);
  }

  for (Letter letter = 0; letter < machine_.letters; ++letter) {
    const auto answer = static_cast<Answer>(index(states_[state].answers[letter]));
    transition_of_.push_back(transitions_.size());
    if (answer != Answer::Legal) {
      machine_.set_target(state, letter, sink_for(answer));
      continue;
    }
    Word extension = word;
    extension.push_back(letter);
    open_.push_back(transitions_.size());
    transitions_.push_back({state, letter, make_row(std::move(extension))});
  }
  return true;
}

void DiscriminationTree::open(std::size_t transition) {
  Transition& opened = transitions_[transition];
  --resolved_;
  loops_ -= opened.target == opened.from;
  --arrivals_[opened.target * machine_.letters + opened.letter];
  opened.target = no_state;
  open_.push_back(transition);
}

void DiscriminationTree::close(std::size_t transition, State target) {
  Transition& closed = transitions_[transition];
  ++resolved_;
  loops_ += target == closed.from;
  ++arrivals_[target * machine_.letters + closed.letter];
  closed.target = target;
  machine_.set_target(closed.from, closed.letter, target);
}

// How likely a state is as the target, up to a common factor. Components have many calls
// that change nothing, and calls that lead to the same state from everywhere.
double DiscriminationTree::weight(const Transition& transition, State candidate) const {
  constexpr double arrival = 5;
  double result = 1 + arrival * arrivals_[candidate * machine_.letters + transition.letter];
  if (candidate == transition.from) {
    const double odds =
        static_cast<double>(loops_ + 1) / static_cast<double>(resolved_ - loops_ + 1);
    result += odds * static_cast<double>(states_.size());
  }
  return result;
}

// The suffix with the greatest expected information about which candidate the word is. A
// state that is not known yet takes part with a small weight and the answers of an average
// state; so of equally good suffixes one with rare answers is preferred.
std::size_t DiscriminationTree::best_suffix(const Transition& transition,
                                            std::span<const State> candidates) const {
  constexpr double weight_of_new_state = 3;
  std::vector<std::array<double, 4>> parts(suffixes_.size()); // weight by index(answer)
  std::vector<Possible> common(suffixes_.size(), unknown);
  for (State candidate : candidates) {
    const double share = weight(transition, candidate);
    const std::vector<Possible>& answers = states_[candidate].answers;
    for (std::size_t i = 0; i < suffixes_.size(); ++i) {
      parts[i][index(answers[i])] += share;
      common[i] &= answers[i];
    }
  }

  std::size_t best = suffixes_.size();
  double most = 0;
  for (std::size_t i = 0; i < suffixes_.size(); ++i) {
    const bool separates_some = common[i] == 0;
    if (!separates_some || transition.row.answers[i] != unknown) continue;
    const double rows = seen_[i][0] + seen_[i][1] + seen_[i][2];
    double decided = weight_of_new_state;
    for (std::size_t k = 0; k < 3; ++k) {
      decided += parts[i][k];
      parts[i][k] += weight_of_new_state * seen_[i][k] / rows;
    }
    double information = 0;
    for (std::size_t k = 0; k < 3; ++k)
      if (parts[i][k] > 0) information -= parts[i][k] * std::log2(parts[i][k] / decided);
    information /= decided + parts[i][3];
    constexpr double noise = 1e-9; // ties go to the first suffix
    if (best == suffixes_.size() || information > most + noise) {
      best = i;
      most = information;
    }
  }
  should(best < suffixes_.size(), "states should be pairwise separated");
  return best;
}

// Finds the target of an open transition, perhaps a new state. False: stopped.
bool DiscriminationTree::sift(std::size_t transition) {
  update(transitions_[transition].row, 0);
  std::vector<State> candidates;
  for (State state = 0; state < states_.size(); ++state)
    if (!separated(transitions_[transition].row, states_[state])) candidates.push_back(state);
  while (candidates.size() > 1) {
    Transition& sifted = transitions_[transition];
    if (!ask(sifted.row, best_suffix(sifted, candidates))) return false;
    std::erase_if(candidates, [&](State state) { return separated(sifted.row, states_[state]); });
  }
  if (candidates.empty()) {
    candidates.push_back(static_cast<State>(states_.size()));
    if (!add_state(Word(transitions_[transition].row.word))) return false;
  }
  close(transition, candidates.front());
  return true;
}

// A shortest word whose known answer is not the hypothesis'. Walks all known words and the
// hypothesis side by side, breadth first.
std::optional<Word> DiscriminationTree::contradiction() const {
  struct Visit {
    AnswerTrie::Node node;
    State state;
    std::size_t parent;
    Letter letter;
  };
  const AnswerTrie& trie = knowledge_.trie();
  std::vector<Visit> visits{{AnswerTrie::root, machine_.entry, 0, 0}};
  for (std::size_t i = 0; i < visits.size(); ++i) {
    const State state = visits[i].state;
    for (const auto& [letter, child] : trie.children(visits[i].node)) {
      const State to = live(state) ? machine_.target(state, letter) : state;
      const auto answer = trie.answer(child);
      if (answer && *answer != answer_of(to)) {
        Word word{letter};
        for (std::size_t at = i; at != 0; at = visits[at].parent) word.push_back(visits[at].letter);
        std::ranges::reverse(word);
        return word;
      }
      const bool settled = answer && *answer != Answer::Legal;
      if (!settled && !trie.children(child).empty()) visits.push_back({child, to, i, letter});
    }
  }
  return std::nullopt;
}

// Opens the transition that the word blames; by I2 it will find a new state. False: stopped.
bool DiscriminationTree::split(const Word& contradicting) {
  const auto breakpoint = find_breakpoint(machine_, contradicting, knowledge_);
  if (!breakpoint) return false;
  const std::size_t blamed =
      transition_of_[breakpoint->from * machine_.letters + breakpoint->letter];
  Row& row = transitions_[blamed].row;
  // The new state's extensions are needed anyway. If a suffix that is there already
  // separates it from the old target, the one found, which may be long, is not needed.
  if (!knowledge_.ask_extensions(row.word)) return false;
  update(row, 0);
  update_state(breakpoint->to, 0);
  if (!separated(row, states_[breakpoint->to])) {
    const std::size_t added = suffixes_.size();
    suffixes_.push_back(breakpoint->suffix);
    seen_.emplace_back();
    for (State state = 0; state < states_.size(); ++state) update_state(state, added);
    update(row, added);
  }
  should(separated(row, states_[breakpoint->to]), "a counterexample should separate two states");
  open(blamed);
  return true;
}

// Closes what is open and removes contradictions until there is neither. False: stopped.
bool DiscriminationTree::settle() {
  for (;;) {
    while (!open_.empty()) {
      const std::size_t transition = open_.front();
      open_.pop_front();
      if (!sift(transition)) return false;
    }
    const auto contradicting = contradiction();
    if (!contradicting) break;
    if (!split(*contradicting)) return false;
  }
  hypothesis_ = canonical(machine_);
  return true;
}

const Hypothesis& DiscriminationTree::hypothesis() {
  if (settled_ || stopped()) return hypothesis_;
  const auto empty_word = knowledge_.ask({});
  if (!empty_word) return hypothesis_;
  if (*empty_word != Answer::Legal) {
    machine_.entry = sink_for(*empty_word);
  } else {
    machine_.entry = 0;
    if (!add_state({})) return hypothesis_;
  }
  settled_ = settle();
  return hypothesis_;
}

void DiscriminationTree::refine(const Word& counterexample) {
  if (stopped()) return;
  should(settled_, "a learner should be refined only after it gave a hypothesis");
  const auto answer = knowledge_.ask(counterexample);
  if (!answer) return;
  should(*answer != machine_.classify(counterexample),
         "a counterexample should be answered differently by hypothesis and oracle");
  settle();
}

} // namespace tacit
