#include "check/serial.h"

#include <algorithm>
#include <map>

#include "automata/canonical.h"
#include "automata/minimise.h"
#include "automata/operations.h"

namespace tacit {

namespace {

/// What a state does with a call of the component: refused, or the targets of its outcomes.
struct Move {
  bool allowed = false;
  std::vector<std::pair<std::size_t, State>> targets; // letter, state
};

Move move(const Interface& interface, const Alignment& alignment, const Component& component,
          State q, std::size_t call) {
  Move result;
  result.allowed = interface.states[q].allows[alignment.written_call[call]];
  if (!result.allowed) return result;
  for (std::size_t outcome = 0; outcome < component.calls()[call].outcomes.size(); ++outcome) {
    const std::size_t letter = component.letter_of(call, outcome);
    const std::uint32_t t = alignment.transition(q, letter);
    if (t != Alignment::none) result.targets.emplace_back(letter, interface.transitions[t].to);
  }
  return result;
}

/// The least set such that a state is dead when no allowed call avoids dead states. Each state
/// counts its calls that do; a state that dies takes away those that may lead to it.
std::vector<bool> dead_states(const Interface& interface, const Alignment& alignment,
                              const Component& component) {
  const std::size_t states = interface.states.size(), calls = component.calls().size();
  std::vector<bool> dead(states), avoids(states * calls);
  std::vector<std::size_t> ways(states);
  std::vector<std::vector<std::size_t>> into(states); // state * calls + call
  for (State q = 0; q < states; ++q) {
    for (std::size_t call = 0; call < calls; ++call) {
      const Move m = move(interface, alignment, component, q, call);
      if (!m.allowed) continue;
      avoids[q * calls + call] = true;
      ++ways[q];
      for (const auto& [letter, to] : m.targets) into[to].push_back(q * calls + call);
    }
  }
  std::vector<State> todo;
  const auto die = [&](State q) {
    dead[q] = true;
    todo.push_back(q);
  };
  for (State q = 0; q < states; ++q)
    if (ways[q] == 0) die(q);
  while (!todo.empty()) {
    const State gone = todo.back();
    todo.pop_back();
    for (std::size_t cell : into[gone]) {
      if (!avoids[cell]) continue;
      avoids[cell] = false;
      const State q = static_cast<State>(cell / calls);
      if (--ways[q] == 0 && !dead[q]) die(q);
    }
  }
  return dead;
}

/// Over the component's letters; colours stand for sets of allowed calls, by the shared table.
Dfa automaton(const Interface& interface, const Alignment& alignment, const Component& component,
              const std::vector<bool>& dead, std::map<std::vector<bool>, Colour>& colours) {
  Dfa dfa(component.letters());
  for (State q = 0; q < interface.states.size(); ++q) dfa.add_state();
  for (State q = 0; q < interface.states.size(); ++q) {
    std::vector<bool> allows(component.calls().size());
    for (std::size_t call = 0; call < allows.size(); ++call) {
      const Move m = move(interface, alignment, component, q, call);
      allows[call] = m.allowed &&
                     std::ranges::none_of(m.targets, [&](const auto& t) { return dead[t.second]; });
      if (allows[call])
        for (const auto& [letter, to] : m.targets) dfa.set_next(q, static_cast<Letter>(letter), to);
    }
    dfa.set_colour(
        q, colours.try_emplace(allows, static_cast<Colour>(colours.size() + 1)).first->second);
  }
  for (State start : alignment.start)
    dfa.add_entry(start == no_state || dead[start] ? no_state : start);
  return dfa;
}

std::string word_text(const Component& component, const Word& word) {
  std::vector<std::string> letters;
  for (Letter letter : word) letters.push_back(component.letter_name(letter));
  return letters.empty() ? "the empty word" : fmt::format("{}", fmt::join(letters, " "));
}

/// The states before pruning that a written word of the pruned interface may lead to.
std::vector<State> reached(const Interface& before, const Alignment& before_alignment,
                           const Interface& after, const Alignment& after_alignment,
                           const Component& component, std::span<const std::string> word) {
  std::optional<std::size_t> constructor;
  word = without_constructor(after, word, constructor);
  std::vector<State> states;
  for (std::size_t k = 0; k < component.constructors().size(); ++k) {
    if (constructor && after.constructors[*constructor] != component.constructors()[k].name)
      continue;
    if (before_alignment.start[k] != no_state && after_alignment.start[k] != no_state)
      states.push_back(before_alignment.start[k]);
  }
  for (const std::string& text : word.first(word.empty() ? 0 : word.size() - 1)) {
    const auto letter = parse_letter(after, text);
    if (!letter) return {};
    std::vector<State> next;
    const std::size_t call = after_alignment.call[letter->call];
    const auto& outcomes = after_alignment.stands_for[letter->call];
    for (std::size_t written = 0; written < outcomes.size(); ++written) {
      if (letter->outcome && *letter->outcome != written) continue;
      for (std::size_t outcome : outcomes[written])
        for (State q : states)
          if (const auto t = before_alignment.transition(q, component.letter_of(call, outcome));
              t != Alignment::none)
            next.push_back(before.transitions[t].to);
    }
    std::ranges::sort(next);
    next.erase(std::ranges::unique(next).begin(), next.end());
    states = std::move(next);
  }
  return states;
}

} // namespace

void check_pruning(const Interface& before, const Alignment& before_alignment,
                   const Interface& after, const Alignment& after_alignment,
                   const Component& component, Findings& findings) {
  const std::string name = "pruning";
  const auto dead = dead_states(before, before_alignment, component);
  std::map<std::vector<bool>, Colour> colours;
  const Dfa expected = minimise(automaton(before, before_alignment, component, dead, colours)).dfa;
  const std::vector<bool> alive(after.states.size());
  const Dfa actual = minimise(automaton(after, after_alignment, component, alive, colours)).dfa;
  for (std::size_t k = 0; k < component.constructors().size(); ++k) {
    const bool should_start = expected.entries()[k] != no_state,
               starts = actual.entries()[k] != no_state;
    if (should_start != starts)
      findings.reject(ClaimSet::all(), name,
                      fmt::format("constructor '{}' should {}", component.constructors()[k].name,
                                  should_start ? "stay" : "be pruned away"));
  }
  if (const auto difference = difference_by_colour(expected, actual)) {
    findings.reject(ClaimSet::all(), name,
                    "the calls allowed after a word differ from what pruning leaves",
                    word_text(component, difference->word));
  } else if (!(canonical(expected).dfa == canonical(actual).dfa)) {
    findings.reject(ClaimSet::all(), name,
                    "the outcomes without transition differ from what pruning leaves");
  }

  for (const Refusal& refusal : after.forbidden) {
    if (findings.stop()) return;
    if (!refusal.state || refusal.word.empty()) continue;
    const auto states =
        reached(before, before_alignment, after, after_alignment, component, refusal.word);
    const std::size_t call = before_alignment.written_call[after_alignment.call[refusal.call]];
    const bool by_pruning = refusal.error == no_way_on;
    const bool justified = std::ranges::any_of(
        states, [&](State q) { return before.states[q].allows[call] == by_pruning; });
    if (!states.empty() && !justified)
      findings.reject(
          {}, fmt::format("error of {} in q{}", after.calls[refusal.call].name, *refusal.state),
          by_pruning
              ? "the call is refused before pruning too, by an error of its own"
              : fmt::format("the call is refused by pruning only, so its error should be '{}'",
                            no_way_on));
  }
}

} // namespace tacit
