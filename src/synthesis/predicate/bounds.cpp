#include "synthesis/predicate/bounds.h"

#include <algorithm>
#include <deque>
#include <set>

#include "synthesis/finish/finish.h"
#include "synthesis/protocol/explore.h"

namespace tacit {

namespace {

/// The same regions; a call errs only where all states of the region err on it.
class SureOracle : public Oracle {
public:
  explicit SureOracle(MayMust& abstraction) : abstraction_(abstraction), base_(abstraction.may()) {}

  const Component& component() const override { return base_.component(); }
  Precision precision() const override { return Precision::Over; }
  Region start(std::size_t constructor) override { return base_.start(constructor); }
  bool constructor_errs(std::size_t constructor) override {
    return base_.constructor_errs(constructor);
  }
  bool errs(Region region, std::size_t call) override {
    return abstraction_.must_err(region, call);
  }
  Region post(Region region, std::size_t letter) override { return base_.post(region, letter); }
  std::optional<ConcreteRun> run_along(std::size_t, const std::vector<std::size_t>&,
                                       std::optional<std::size_t>) override {
    return std::nullopt;
  }
  std::optional<ConcreteRun> failing_constructor(std::size_t) override { return std::nullopt; }
  std::optional<ErrorSite> error_site(Region, std::size_t) override { return std::nullopt; }
  std::optional<Diagnostic> failure() const override { return base_.failure(); }

private:
  MayMust& abstraction_;
  MayOracle& base_;
};

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

/// Allows every call always: permissive, whatever the component does.
PermissiveBound anything(const Component& component, const Protocol& safe) {
  PermissiveBound made;
  Interface& all = made.interface;
  all.component_name = component.name();
  all.language = component.module().language;
  all.options = component.options();
  all.engine = "permissive";
  all.errors = component.errors();
  all.states.push_back({std::vector<bool>(component.calls().size(), true), ""});
  for (const Call& constructor : component.constructors()) {
    all.constructors.push_back(constructor.name);
    all.initial.push_back({constructor.name, 0});
  }
  for (std::size_t c = 0; c < component.calls().size(); ++c) {
    all.calls.push_back({component.calls()[c].name, {"any"}});
    all.transitions.push_back({0, c, 0, 0, {}, {}});
  }
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

} // namespace

PermissiveBound permissive_bound(MayMust& abstraction, const Protocol& safe, Budget& budget) {
  const MayOracle& oracle = abstraction.may();
  SureOracle sure(abstraction);
  auto explored = explore(sure, budget);
  bool usable = explored && explored->complete && !oracle.failure();
  for (std::size_t k = 0; usable && k < safe.dfa.entries().size(); ++k)
    usable = safe.dfa.entries()[k] == no_state || explored->protocol.dfa.entries()[k] != no_state;
  if (!usable) return anything(oracle.component(), safe);
  const Protocol more = minimal(explored->protocol, oracle.component()).protocol;
  NoLabels none;
  FinishOptions options{.engine = "permissive", .serial = false, .story = {}};
  options.verdict.permissive = Claim::Bounded;
  options.verdict.details["permissive"] = "refuses only what surely errs; without evidence";
  Interface interface = finish(more, sure, none, options);
  return PermissiveBound{std::move(interface), word_between(safe, more, oracle.component())};
}

} // namespace tacit
