#include "learning/hypothesis.h"

#include <utility>

#include "base/should.h"

namespace tacit {

Answer answer_of(State target) {
  should(target != no_state, "a transition of a hypothesis should have a target");
  if (target == illegal_sink) return Answer::Illegal;
  if (target == cannot_happen_sink) return Answer::CannotHappen;
  return Answer::Legal;
}

State sink_for(Answer answer) {
  should(answer != Answer::Legal, "a legal word should lead to a live state");
  return answer == Answer::Illegal ? illegal_sink : cannot_happen_sink;
}

State Hypothesis::add_state(Word access_word, State target) {
  access.push_back(std::move(access_word));
  next.resize(next.size() + letters, target);
  return static_cast<State>(access.size() - 1);
}

State Hypothesis::run(std::span<const Letter> word) const {
  State at = entry;
  for (Letter letter : word) {
    if (!live(at)) break;
    at = target(at, letter);
  }
  return at;
}

Dfa Hypothesis::to_dfa() const {
  Dfa dfa(letters);
  dfa.reserve(states());
  for (State q = 0; q < states(); ++q) dfa.add_state();
  for (State q = 0; q < states(); ++q)
    for (Letter a = 0; a < letters; ++a)
      if (live(target(q, a))) dfa.set_next(q, a, target(q, a));
  dfa.add_entry(live(entry) ? entry : no_state);
  return dfa;
}

Dfa Hypothesis::to_dfa_with_sinks() const {
  Dfa dfa(letters);
  for (State q = 0; q < states(); ++q) dfa.add_state();
  State illegal = no_state;
  State cannot_happen = no_state;
  const auto state_for = [&](State target) {
    if (live(target)) return target;
    State& sink = target == illegal_sink ? illegal : cannot_happen;
    if (sink == no_state) {
      sink = dfa.add_state(target == illegal_sink ? 0 : 2);
      for (Letter a = 0; a < letters; ++a) dfa.set_next(sink, a, sink);
    }
    return sink;
  };
  for (State q = 0; q < states(); ++q)
    for (Letter a = 0; a < letters; ++a) dfa.set_next(q, a, state_for(target(q, a)));
  dfa.add_entry(state_for(entry));
  return dfa;
}

Hypothesis canonical(const Hypothesis& hypothesis) {
  Hypothesis result;
  result.letters = hypothesis.letters;
  result.entry = hypothesis.entry;
  if (!live(hypothesis.entry)) return result;

  std::vector<State> new_id(hypothesis.states(), no_state);
  std::vector<State> old_id;
  const auto number = [&](State old, Word word) {
    new_id[old] = result.add_state(std::move(word));
    old_id.push_back(old);
  };
  number(hypothesis.entry, {});
  result.entry = 0;
  for (State q = 0; q < old_id.size(); ++q)
    for (Letter a = 0; a < hypothesis.letters; ++a) {
      State to = hypothesis.target(old_id[q], a);
      if (live(to)) {
        if (new_id[to] == no_state) {
          Word word = result.access[q];
          word.push_back(a);
          number(to, std::move(word));
        }
        to = new_id[to];
      }
      result.set_target(q, a, to);
    }
  return result;
}

} // namespace tacit
