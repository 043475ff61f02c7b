#include "synthesis/protocol/given.h"

#include <algorithm>
#include <map>
#include <set>

#include "program/ir/names.h"

namespace tacit {
namespace {

using Set = std::set<std::size_t>; // of states of the given protocol

std::vector<std::string> call_names(const Component& component) {
  std::vector<std::string> names;
  for (const Call& call : component.calls()) names.push_back(call.name);
  return names;
}

bool means(const IntendedStart& start, const Call& constructor, const Component& component) {
  return label_means(start.label, constructor.name, component.body(constructor).parameters.size());
}

bool means_none(const IntendedStart& start, const Component& component) {
  return std::ranges::none_of(component.constructors(),
                              [&](const Call& one) { return means(start, one, component); });
}

class Determinisation {
public:
  Determinisation(const IntendedProtocol& given, const Component& component)
      : given_(given), component_(component), made_(component), outgoing_(given.states.size()) {
    const auto names = call_names(component);
    for (const IntendedEdge& edge : given.edges) {
      if (!meanings_.contains(edge.letter) && !edge.letter.empty())
        meanings_[edge.letter] = meaning_of(edge.letter, names);
      outgoing_[edge.from].push_back(&edge);
    }
  }

  Protocol run() {
    for (const Call& constructor : component_.constructors()) {
      Set start;
      for (const IntendedStart& one : given_.starts)
        if (means(one, constructor, component_) || means_none(one, component_))
          start.insert(one.state);
      made_.dfa.add_entry(start.empty() ? no_state : number(closed(std::move(start))));
    }
    for (State q = 0; q < sets_.size(); ++q)
      for (Letter l = 0; l < component_.letters(); ++l)
        if (const Set to = next(sets_[q], l); !to.empty()) {
          const State target = number(to);
          made_.dfa.set_next(q, l, target);
        }
    return minimal(made_, component_).protocol;
  }

private:
  Set closed(Set states) const {
    std::vector<std::size_t> work(states.begin(), states.end());
    while (!work.empty()) {
      const std::size_t at = work.back();
      work.pop_back();
      for (const IntendedEdge* edge : outgoing_[at])
        if (edge->letter.empty() && states.insert(edge->to).second) work.push_back(edge->to);
    }
    return states;
  }

  Set next(const Set& states, Letter letter) const {
    const CallOutcome at = component_.letter(letter);
    const std::string& outcome = component_.calls()[at.call].outcomes[at.outcome];
    Set reached;
    for (const std::size_t state : states)
      for (const IntendedEdge* edge : outgoing_[state])
        if (const auto known = meanings_.find(edge->letter);
            known != meanings_.end() && known->second && known->second->covers(at.call, outcome))
          reached.insert(edge->to);
    return closed(std::move(reached));
  }

  State number(const Set& states) {
    const auto [at, fresh] = numbers_.try_emplace(states, static_cast<State>(sets_.size()));
    if (fresh) {
      std::vector<bool> allowed(component_.calls().size(), false);
      for (Letter l = 0; l < component_.letters(); ++l)
        if (!next(states, l).empty()) allowed[component_.letter(l).call] = true;
      made_.add_state(allowed);
      sets_.push_back(states);
    }
    return at->second;
  }

  const IntendedProtocol& given_;
  const Component& component_;
  Protocol made_;
  std::vector<std::vector<const IntendedEdge*>> outgoing_;
  std::map<std::string, std::optional<LetterMeaning>> meanings_;
  std::vector<Set> sets_;
  std::map<Set, State> numbers_;
};

} // namespace

SpokenOf spoken_of(const IntendedProtocol& given, const Component& component) {
  SpokenOf made;
  const auto names = call_names(component);
  std::set<std::size_t> calls;
  std::set<std::string> unknown;
  const auto speak = [&](const std::string& letter) {
    if (letter.empty()) return;
    if (const auto meaning = meaning_of(letter, names))
      calls.insert(meaning->calls.begin(), meaning->calls.end());
    else
      unknown.insert(std::string(bare_name(letter)));
  };
  for (const IntendedEdge& edge : given.edges) speak(edge.letter);
  for (const std::string& letter : given.letters) speak(letter);
  made.unknown.assign(unknown.begin(), unknown.end());
  for (std::size_t c = 0; c < names.size(); ++c)
    if (!calls.contains(c)) made.not_spoken.push_back(names[c]);
  return made;
}

Protocol determinised(const IntendedProtocol& given, const Component& component) {
  return Determinisation(given, component).run();
}

} // namespace tacit
