#include "learning/observation_table.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/should.h"
#include "learning/counterexample.h"

namespace tacit {

ObservationTable::ObservationTable(std::size_t letters, WordOracle& oracle, LearnerOptions options)
    : knowledge_(letters, oracle, std::move(options.groups), options.budget), suffixes_{Word{}} {
  machine_.letters = letters;
  hypothesis_.letters = letters;
}

// Asks for the missing cells of a row. False: stopped.
bool ObservationTable::fill(Row& row) {
  while (row.answers.size() < suffixes_.size()) {
    const Word& suffix = suffixes_[row.answers.size()];
    Word word = row.word;
    word.insert(word.end(), suffix.begin(), suffix.end());
    const auto answer = knowledge_.ask(word);
    if (!answer) return false;
    row.answers.push_back(*answer);
  }
  return true;
}

// R := R ∪ {r}, with the cells of its Legal extensions. False: stopped.
bool ObservationTable::add_representative(Row row) {
  if (!knowledge_.ask_extensions(row.word)) return false;
  const State state = machine_.add_state(row.word, no_state);
  for (Letter letter = 0; letter < machine_.letters; ++letter) {
    Word word = row.word;
    word.push_back(letter);
    const Answer answer = *knowledge_.known(word);
    if (answer == Answer::Legal) {
      extensions_.push_back({state, letter, Row{std::move(word), {}}});
    } else {
      machine_.set_target(state, letter, sink_for(answer));
    }
  }
  representatives_.push_back(std::move(row));
  return true;
}

// checkClosure, with its loop: adds representatives until the table is closed.
bool ObservationTable::close() {
  for (std::size_t i = 0; i < extensions_.size(); ++i) {
    if (!fill(extensions_[i].row)) return false;
    const auto same =
        std::ranges::find(representatives_, extensions_[i].row.answers, &Row::answers);
    State target = static_cast<State>(same - representatives_.begin());
    if (same == representatives_.end() && !add_representative(extensions_[i].row)) return false;
    machine_.set_target(extensions_[i].from, extensions_[i].letter, target);
  }
  return true;
}

// Brings the table to a conjecture after R or E has changed. False: stopped.
bool ObservationTable::make_conjecture() {
  for (Row& row : representatives_)
    if (!fill(row)) return false;
  if (!close()) return false;
  hypothesis_ = canonical(machine_);
  return true;
}

const Hypothesis& ObservationTable::hypothesis() {
  if (settled_ || stopped()) return hypothesis_;
  const auto empty_word = knowledge_.ask({});
  if (!empty_word) return hypothesis_;
  if (*empty_word != Answer::Legal) {
    machine_.entry = sink_for(*empty_word);
  } else {
    machine_.entry = 0;
    if (!add_representative(Row{})) return hypothesis_;
  }
  settled_ = make_conjecture();
  return hypothesis_;
}

void ObservationTable::refine(const Word& counterexample) {
  if (stopped()) return;
  should(settled_, "a learner should be refined only after it gave a hypothesis");
  const std::size_t states = representatives_.size();
  auto breakpoint = find_breakpoint(machine_, counterexample, knowledge_);
  if (!breakpoint) return;
  suffixes_.push_back(std::move(breakpoint->suffix));
  if (!make_conjecture()) return;
  should(representatives_.size() > states, "a counterexample should give a new state");
}

} // namespace tacit
