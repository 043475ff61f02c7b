#include "support/guarded_evidence.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/reference_product.h"

namespace tacit {

namespace {

using States = std::set<ConcreteState>;

class EvidenceMaker {
public:
  EvidenceMaker(Interface& interface, const Component& component, const GuardedReading& reading,
                const Product& product, bool full)
      : interface_(interface), component_(component), reading_(reading), product_(product),
        full_(full), semantics_(component) {}

  void run() {
    labels_.resize(interface_.states.size());
    for (const ProductNode& node : product_.nodes)
      for (const StateBelief& belief : node.worlds)
        labels_[node.q].insert(belief.begin(), belief.end());
    interface_.evidence = {};
    interface_.forbidden.clear();
    for (State q = 0; q < labels_.size(); ++q) interface_.states[q].label = formula(labels_[q]);
    refuse_constructors();
    for (State q = 0; q < labels_.size(); ++q) refuse_calls(q);
    std::ranges::stable_sort(interface_.forbidden, [&](const Refusal& a, const Refusal& b) {
      return std::pair(a.state, interface_.refused_name(a)) <
             std::pair(b.state, interface_.refused_name(b));
    });
    name_refusals();
    for (std::size_t t = 0; t < interface_.transitions.size() && full_; ++t) show_possible(t);
  }

private:
  std::string formula(const States& states) const {
    std::vector<std::string> cases;
    for (const ConcreteState& s : states) {
      std::vector<std::string> parts;
      for (std::size_t i = 0; i < s.values.size(); ++i) {
        const StateVariable& v = component_.module().state[i];
        parts.push_back(fmt::format("{} == {}", v.name(), to_string(s.values[i], v.type.sort)));
      }
      cases.push_back(fmt::format("({})", fmt::join(parts, " && ")));
    }
    return cases.empty() ? "false" : fmt::format("{}", fmt::join(cases, " || "));
  }

  void refuse(std::optional<State> state, std::size_t written, const Call& call) {
    const auto sites = component_.error_sites(call);
    Refusal refusal{.state = state, .call = written, .error = "none", .at = ""};
    if (!sites.empty()) {
      refusal.error = sites[0].error;
      refusal.at = to_string(sites[0].where);
    }
    interface_.forbidden.push_back(std::move(refusal));
  }

  void refuse_constructors() {
    for (std::size_t k = 0; k < interface_.constructors.size(); ++k)
      if (std::ranges::find(interface_.initial, interface_.constructors[k],
                            &InitialState::constructor) == interface_.initial.end())
        refuse(
            std::nullopt, k,
            *std::ranges::find(component_.constructors(), interface_.constructors[k], &Call::name));
  }

  /// The arguments that are refused in a state of the component, its tracked terms standing for the
  /// tracked values.
  std::vector<std::vector<Value>> refused(State q, std::size_t call, const ConcreteState& s) {
    std::vector<std::vector<Value>> found;
    const std::vector<Value> tracked = reading_.tracked_in(s.values);
    for (const auto& arguments : semantics_.arguments(component_.calls()[call]))
      if (!reading_.allows(q, call, arguments, tracked)) found.push_back(arguments);
    return found;
  }

  bool errs_on_all(State q, std::size_t call, const ConcreteState& s, bool or_no_run) {
    for (const auto& arguments : refused(q, call, s)) {
      const Legality l = ConcreteSemantics::legality(semantics_.ways({{s}}, call, arguments));
      if (l != Legality::Illegal && !(or_no_run && l == Legality::NoRun)) return false;
    }
    return true;
  }

  void refuse_calls(State q) {
    for (std::size_t c = 0; c < component_.calls().size(); ++c) {
      const std::size_t written = reading_.written_call(c);
      States erring;
      bool everywhere = true;
      for (const ConcreteState& s : labels_[q]) {
        everywhere = everywhere && errs_on_all(q, c, s, true);
        if (errs_on_all(q, c, s, false)) erring.insert(s);
      }
      if (!interface_.states[q].allows[written] || !everywhere)
        refuse(q, written, component_.calls()[c]);
      if (!everywhere && !erring.empty()) proof_[{q, written}] = must_node(q, erring);
    }
  }

  /// A node with this predicate, and nodes for all that justifies it.
  std::size_t must_node(State q, const States& states) {
    const auto [at, fresh] = nodes_.emplace(std::pair(q, states), interface_.evidence.must.size());
    if (!fresh) return at->second;
    const std::size_t index = at->second;
    interface_.evidence.must.push_back({q, formula(states), {}});
    if (index > most_nodes) return index;
    std::vector<MustNode::Incoming> incoming;
    for (std::size_t t = 0; t < interface_.transitions.size(); ++t) {
      if (interface_.transitions[t].to != q) continue;
      const State from = interface_.transitions[t].from;
      const States source = before(t, states);
      if (source == labels_[from])
        incoming.push_back({t, std::nullopt, std::nullopt});
      else if (!source.empty())
        incoming.push_back({t, must_node(from, source), std::nullopt});
    }
    interface_.evidence.must[index].incoming = std::move(incoming);
    return index;
  }

  /// The letters by which the transition can be taken from a state, with the states they lead to in
  /// every resolution.
  struct Letter {
    std::vector<Value> tracked, arguments;
    Observation seen;
    friend bool operator<(const Letter& a, const Letter& b) {
      return std::tie(a.tracked, a.arguments, a.seen) < std::tie(b.tracked, b.arguments, b.seen);
    }
  };

  template <class Visit> void letters(std::size_t t, const ConcreteState& s, const Visit& visit) {
    const InterfaceTransition& transition = interface_.transitions[t];
    const std::size_t call = *component_.find_call(interface_.calls[transition.call].name);
    const std::vector<Value> tracked = reading_.tracked_in(s.values);
    for (const auto& arguments : semantics_.arguments(component_.calls()[call])) {
      if (!reading_.allows(transition.from, call, arguments, tracked)) continue;
      const Resolutions ways = semantics_.ways({{s}}, call, arguments);
      for (const Observation& seen : ConcreteSemantics::seen(ways)) {
        const auto cells =
            reading_.cells(transition.from, call, seen.outcome, arguments, seen.result, tracked);
        if (std::ranges::find(cells, t) != cells.end())
          visit(Letter{tracked, arguments, seen}, ways);
      }
    }
  }

  /// The states from which every letter along the transition, that some state of the label shows
  /// with the same tracked values, surely leads into the set.
  States before(std::size_t t, const States& into) {
    const State from = interface_.transitions[t].from;
    std::set<Letter> shown;
    for (const ConcreteState& s : labels_[from])
      letters(t, s, [&](const Letter& l, const Resolutions&) { shown.insert(l); });
    States found;
    for (const ConcreteState& s : labels_[from]) {
      std::set<Letter> surely;
      letters(t, s, [&](const Letter& l, const Resolutions& ways) {
        if (std::ranges::all_of(ways, [&](const Endings& endings) {
              return std::ranges::any_of(endings, [&](const Ending& e) {
                return !e.errs && e.seen == l.seen && into.contains(e.after);
              });
            }))
          surely.insert(l);
      });
      const std::vector<Value> tracked = reading_.tracked_in(s.values);
      if (std::ranges::all_of(
              shown, [&](const Letter& l) { return l.tracked != tracked || surely.contains(l); }))
        found.insert(s);
    }
    return found;
  }

  /// For fullness: a node of the states from which the outcomes that the transition stands for can
  /// surely happen, with some arguments for which there is room, where that is not all of the
  /// label.
  void show_possible(std::size_t t) {
    const InterfaceTransition& transition = interface_.transitions[t];
    const std::size_t call = *component_.find_call(interface_.calls[transition.call].name);
    const Call& called = component_.calls()[call];
    for (std::size_t outcome = 0; outcome < called.outcomes.size(); ++outcome) {
      const auto stands = reading_.transitions_of(transition.from, call, outcome);
      if (std::ranges::find(stands, t) == stands.end()) continue;
      States able;
      for (const ConcreteState& s : labels_[transition.from])
        if (can_happen(transition.from, call, outcome, s)) able.insert(s);
      if (able != labels_[transition.from] && !able.empty())
        interface_.evidence.outcome_must[{t, called.outcomes[outcome]}] =
            must_node(transition.from, able);
    }
  }

  /// Or nothing leaves room for it.
  bool can_happen(State q, std::size_t call, std::size_t outcome, const ConcreteState& s) {
    const Call& called = component_.calls()[call];
    const std::vector<Value> tracked = reading_.tracked_in(s.values);
    bool expected = false;
    for (const auto& arguments : semantics_.arguments(called)) {
      if (!reading_.allows(q, call, arguments, tracked)) continue;
      if (!leaves_room(q, call, outcome, arguments, tracked)) continue;
      expected = true;
      const Resolutions ways = semantics_.ways({{s}}, call, arguments);
      if (!ways.empty() && std::ranges::all_of(ways, [&](const Endings& endings) {
            return std::ranges::any_of(
                endings, [&](const Ending& e) { return !e.errs && e.seen.outcome == outcome; });
          }))
        return true;
    }
    return !expected;
  }

  bool leaves_room(State q, std::size_t call, std::size_t outcome,
                   const std::vector<Value>& arguments, const std::vector<Value>& tracked) {
    std::vector<std::optional<Value>> results{std::nullopt};
    const auto& returns = component_.body(component_.calls()[call]).returns;
    for (std::size_t t : reading_.transitions_of(q, call, outcome)) {
      if (reading_.mentions_result(t) && returns) {
        const std::vector<Value> all = semantics_.values(*returns);
        results.assign(all.begin(), all.end());
      }
      if (std::ranges::any_of(results, [&](const std::optional<Value>& result) {
            return reading_.cell_holds(t, arguments, result, tracked);
          }))
        return true;
    }
    return false;
  }

  void name_refusals() {
    for (std::size_t i = 0; i < interface_.forbidden.size(); ++i) {
      const Refusal& r = interface_.forbidden[i];
      if (!r.state) continue;
      const auto node = proof_.find({*r.state, r.call});
      if (node != proof_.end()) interface_.evidence.refusal_must[i] = node->second;
    }
  }

  static constexpr std::size_t most_nodes = 60; // a proof that needs more is not worth the time

  Interface& interface_;
  const Component& component_;
  const GuardedReading& reading_;
  const Product& product_;
  bool full_; // whether it is worth proving
  ConcreteSemantics semantics_;
  std::vector<States> labels_;
  std::map<std::pair<State, States>, std::size_t> nodes_;
  std::map<std::pair<State, std::size_t>, std::size_t> proof_;
};

} // namespace

void give_evidence(Interface& interface, const Component& component) {
  const auto reading = GuardedReading::read(interface, component);
  Product product;
  if (!reading) return;
  const ReferenceReport report = explore_interface(interface, component, {}, product);
  if (report.failure) return;
  EvidenceMaker(interface, component, *reading, product, report.full.holds()).run();
  interface.omitted = {"words", "examples"};
}

} // namespace tacit
