#include "support/mutate_epa.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace tacit {
namespace {

class Mutations {
public:
  explicit Mutations(const Interface& original) : original_(original) {}

  std::vector<EpaMutant> run() {
    for (std::size_t i = 0; i < original_.transitions.size(); ++i) transition(i);
    for (State q = 0; q < original_.states.size(); ++q) state(q);
    for (std::size_t i = 0; i < original_.initial.size(); ++i) {
      make("start dropped", [&](Interface& r) { r.initial.erase(r.initial.begin() + at(i)); });
      for (State q = 0; q < original_.states.size(); ++q)
        if (!starts(original_.initial[i].constructor, q))
          make(fmt::format("start {} added", q), [&](Interface& r) {
            InitialState added = r.initial[i];
            added.state = q;
            r.initial.push_back(added);
          });
    }
    clauses();
    return std::move(made_);
  }

private:
  static std::ptrdiff_t at(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  template <class Change> void make(std::string what, Change change) {
    made_.push_back({original_, std::move(what)});
    change(made_.back().result);
    std::ranges::stable_sort(made_.back().result.transitions, {},
                             [&](const InterfaceTransition& t) {
                               return std::tuple(t.from, original_.calls[t.call].name, t.to);
                             });
  }

  bool leads(State from, std::size_t call, State to) const {
    return std::ranges::any_of(original_.transitions, [&](const InterfaceTransition& t) {
      return t.from == from && t.call == call && t.to == to;
    });
  }
  bool starts(const std::string& constructor, State q) const {
    return std::ranges::any_of(original_.initial, [&](const InitialState& start) {
      return start.constructor == constructor && start.state == q;
    });
  }

  void transition(std::size_t i) {
    const InterfaceTransition& t = original_.transitions[i];
    const std::string name =
        fmt::format("S{} --{}--> S{}", t.from, original_.calls[t.call].name, t.to);
    make(name + " dropped",
         [&](Interface& r) { r.transitions.erase(r.transitions.begin() + at(i)); });
    if (t.example)
      make(name + " uncertain", [&](Interface& r) { r.transitions[i].uncertain = true; });
    for (State q = 0; q < original_.states.size(); ++q) {
      if (leads(t.from, t.call, q)) continue;
      make(fmt::format("{} leads to S{}", name, q), [&](Interface& r) { r.transitions[i].to = q; });
      make(fmt::format("{} added to S{}, without an example", name, q), [&](Interface& r) {
        InterfaceTransition added = t;
        added.to = q;
        added.example.reset();
        added.before.clear();
        r.transitions.push_back(added);
      });
    }
  }

  void state(State q) {
    make(fmt::format("label of S{} negated", q),
         [&](Interface& r) { r.states[q].label = "!(" + r.states[q].label + ")"; });
    for (State p = 0; p < q; ++p)
      make(fmt::format("calls of S{} and S{} swapped", p, q),
           [&](Interface& r) { std::swap(r.states[p].allows, r.states[q].allows); });
  }

  void clauses() {
    for (std::size_t c = 0; c < original_.epa->clauses.size(); ++c) {
      const std::string& name = original_.calls[original_.epa->clauses[c].call].name;
      const std::string& enabled = original_.epa->clauses[c].enabled;
      make("clause of " + name + " negated",
           [&](Interface& r) { r.epa->clauses[c].enabled = "!(" + enabled + ")"; });
    }
    if (original_.epa->invariant != "true" && original_.epa->invariant_from == "given")
      make("no invariant", [](Interface& r) { r.epa->invariant = "true"; });
  }

  const Interface& original_;
  std::vector<EpaMutant> made_;
};

} // namespace

std::vector<EpaMutant> epa_mutants(const Interface& original) { return Mutations(original).run(); }

} // namespace tacit
