#include "synthesis/predicate/bounds.h"

#include <algorithm>
#include <deque>
#include <set>

#include "synthesis/finish/finish.h"
#include "synthesis/predicate/must_oracle.h"
#include "synthesis/protocol/explore.h"

namespace tacit {

namespace {

class NoLabels : public Labeller {
public:
  bool label(Interface&, const Protocol&) override { return false; }
  void label_pruned(Interface&, const Protocol&) override {}
  std::optional<LetterExample> example(State, std::size_t) override { return std::nullopt; }
};

std::vector<std::string> word_between(const Protocol& safe, const Protocol& more,
                                      const Component& component) {
  struct At {
    State safe, more;
    std::vector<std::string> word;
  };
  std::deque<At> work;
  std::set<std::pair<State, State>> seen;
  for (std::size_t k = 0; k < component.constructors().size(); ++k)
    if (safe.dfa.entries()[k] != no_state && more.dfa.entries()[k] != no_state)
      work.push_back({safe.dfa.entries()[k], more.dfa.entries()[k], {}});
  while (!work.empty()) {
    const At at = std::move(work.front());
    work.pop_front();
    if (!seen.insert({at.safe, at.more}).second) continue;
    for (std::size_t c = 0; c < component.calls().size(); ++c)
      if (more.allows(at.more, c) && !safe.allows(at.safe, c)) {
        auto word = at.word;
        word.push_back(component.calls()[c].name);
        return word;
      }
    for (Letter l : alphabetical_letters(component)) {
      const State s = safe.dfa.next(at.safe, l), m = more.dfa.next(at.more, l);
      if (s == no_state || m == no_state) continue;
      auto word = at.word;
      const CallOutcome letter = component.letter(l);
      word.push_back(component.calls()[letter.call].outcomes.size() == 1
                         ? component.calls()[letter.call].name
                         : component.letter_name(l));
      work.push_back({s, m, std::move(word)});
    }
  }
  return {};
}

} // namespace

Interface named_interface(const Component& component, const std::string& engine) {
  Interface made;
  made.component_name = component.name();
  made.language = component.module().language;
  made.options = component.options();
  made.engine = engine;
  made.errors = component.errors();
  for (const Call& call : component.calls()) made.calls.push_back({call.name, {"any"}});
  for (const Call& constructor : component.constructors())
    made.constructors.push_back(constructor.name);
  return made;
}

PermissiveBound allows_everything(const Component& component, const Protocol& safe) {
  PermissiveBound made{named_interface(component, "permissive"), {}};
  Interface& all = made.interface;
  all.states.push_back({std::vector<bool>(component.calls().size(), true), ""});
  for (const std::string& constructor : all.constructors) all.initial.push_back({constructor, 0});
  for (std::size_t c = 0; c < component.calls().size(); ++c)
    all.transitions.push_back({0, c, 0, 0, {}, {}});
  std::ranges::sort(all.transitions, {},
                    [&](const InterfaceTransition& t) { return all.calls[t.call].name; });
  all.verdict.permissive = Claim::Bounded;
  all.verdict.details["permissive"] = "allows everything";
  Protocol everything(component);
  const State only = everything.add_state(std::vector<bool>(component.calls().size(), true));
  for (std::size_t k = 0; k < component.constructors().size(); ++k) everything.dfa.add_entry(only);
  for (Letter l = 0; l < component.letters(); ++l) everything.dfa.set_next(only, l, only);
  made.word = word_between(safe, everything, component);
  return made;
}

std::optional<PermissiveBound> permissive_bound(MayMust& abstraction, const Protocol& safe,
                                                Budget& budget) {
  const MayOracle& oracle = abstraction.may();
  MustOracle sure(abstraction);
  auto explored = explore(sure, budget);
  bool usable = explored && explored->complete && !oracle.failure();
  for (std::size_t k = 0; usable && k < safe.dfa.entries().size(); ++k)
    usable = safe.dfa.entries()[k] == no_state || explored->protocol.dfa.entries()[k] != no_state;
  if (!usable) return std::nullopt;
  const Protocol more = minimal(explored->protocol, oracle.component()).protocol;
  NoLabels none;
  FinishOptions options{.engine = "permissive", .serial = false, .story = {}};
  options.verdict.permissive = Claim::Bounded;
  options.verdict.details["permissive"] = "refuses only what surely errs; without evidence";
  Interface interface = finish(more, sure, none, options);
  return PermissiveBound{std::move(interface), word_between(safe, more, oracle.component())};
}

} // namespace tacit
