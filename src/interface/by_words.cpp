#include "interface/by_words.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace tacit {
namespace {

using Set = std::set<State>;

class ByWords {
public:
  ByWords(const Interface& epa, std::size_t most_states) : epa_(epa), most_states_(most_states) {
    made_.component_name = epa.component_name;
    made_.language = epa.language;
    made_.tir = epa.tir;
    made_.options = epa.options;
    made_.calls = epa.calls;
    made_.constructors = epa.constructors;
    made_.constants = epa.constants;
  }

  std::optional<Interface> run() {
    std::map<std::string, Set> starts;
    for (const InitialState& start : epa_.initial) starts[start.constructor].insert(start.state);
    for (const auto& [constructor, states] : starts)
      made_.initial.push_back({.constructor = constructor, .state = number(states)});
    for (State at = 0; at < sets_.size(); ++at) {
      if (sets_.size() > most_states_) return std::nullopt;
      expand(at);
    }
    // Sets are numbered as they are met; of one state, transitions go by the names of calls.
    std::ranges::stable_sort(made_.transitions, {}, [&](const InterfaceTransition& t) {
      return std::pair(t.from, std::string_view(made_.calls[t.call].name));
    });
    return std::move(made_);
  }

private:
  State number(const Set& states) {
    const auto [found, fresh] = numbers_.emplace(states, static_cast<State>(sets_.size()));
    if (fresh) sets_.push_back(states);
    return found->second;
  }

  void expand(State at) {
    const Set from = sets_[at]; // sets_ grows
    InterfaceState state{std::vector<bool>(epa_.calls.size()), ""};
    for (std::size_t call = 0; call < epa_.calls.size(); ++call) {
      std::map<std::size_t, Set> reached; // by outcome
      for (const State q : from) {
        if (epa_.states[q].allows[call]) state.allows[call] = true;
        for (const InterfaceTransition& t : epa_.outgoing(q, call)) reached[t.outcome].insert(t.to);
      }
      for (const auto& [outcome, to] : reached)
        made_.transitions.push_back(
            {.from = at, .call = call, .outcome = outcome, .to = number(to)});
    }
    made_.states.push_back(std::move(state));
  }

  const Interface& epa_;
  const std::size_t most_states_;
  Interface made_;
  std::map<Set, State> numbers_;
  std::vector<Set> sets_;
};

} // namespace

std::optional<Interface> by_words(const Interface& epa, std::size_t most_states) {
  return ByWords(epa, most_states).run();
}

} // namespace tacit
