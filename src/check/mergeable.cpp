#include "check/mergeable.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "check/guarded_setting.h"

namespace tacit {

namespace {

using Answer = Prover::Answer;

class Minimality : private GuardedSetting {
public:
  Minimality(const Interface& interface, const Component& component, const Alignment& alignment,
             const ClientConditions& conditions, Budget* budget, Findings& findings)
      : GuardedSetting(interface, component, alignment, conditions, budget, findings) {}

  bool run() {
    claims_ = {};
    if (!read_evidence()) {
      findings_.undecided({}, "minimal", "there are no labels to judge it by");
      return false;
    }
    return states() && tracked_values() && cells();
  }

private:
  bool not_minimal(std::string message) {
    findings_.reject({}, "minimal", std::move(message));
    return false;
  }

  /// Whether the solver knows no way.
  bool impossible(const Formula& formula) {
    return prover_.satisfiable(formula).answer == Answer::Unsat;
  }

  bool states() {
    std::vector<bool> reached(interface_.states.size());
    std::vector<State> work;
    const auto reach = [&](State q) {
      if (!reached[q]) work.push_back(q);
      reached[q] = true;
    };
    for (const InitialState& start : interface_.initial) reach(start.state);
    while (!work.empty()) {
      const State q = work.back();
      work.pop_back();
      for (const InterfaceTransition& t : interface_.outgoing(q)) reach(t.to);
    }
    for (State q = 0; q < interface_.states.size(); ++q)
      if (!reached[q] || impossible(label(q)))
        return not_minimal(fmt::format("q{} is never reached", q));
    for (State p = 0; p < interface_.states.size(); ++p)
      for (State q = p + 1; q < interface_.states.size(); ++q)
        if (mergeable(p, q)) return not_minimal(fmt::format("q{} and q{} can be merged", p, q));
    return true;
  }

  /// What tells two states apart where their tracked values agree (but for one that is left out).
  struct Difference {
    bool apart = false;
    std::vector<std::pair<State, State>> together; // targets of letters that both have
  };

  const Difference& difference(State p, State q, std::optional<std::size_t> without) {
    const auto [place, made] = known_.try_emplace(std::tuple(p, q, without));
    if (!made) return place->second;
    Difference found;
    std::vector<Term> same;
    for (std::size_t i = 0; i < tracked_.size(); ++i) {
      const Term equal = erasure_.equal(conditions_.tracked()[i].term->sort,
                                        substitute(arena_, tracked_[i], copy(1)), tracked_[i]);
      same.push_back(without == i ? arena_.negate(equal) : equal);
    }
    const Formula both_there = arena_.conj(
        {label(p), substitute(arena_, label(q), copy(1)), arena_.conj(std::move(same))});
    for (std::size_t call = 0; call < interface_.calls.size() && !found.apart; ++call)
      compare(p, q, call, without, both_there, found);
    return place->second = std::move(found);
  }

  void compare(State p, State q, std::size_t written_call, std::optional<std::size_t> without,
               const Formula& there, Difference& found) {
    const std::size_t call = alignment_.call[written_call];
    const CallRuns* runs = this->runs(call);
    if (runs == nullptr) return;
    const Call& called = component_.calls()[call];
    const Term mine = guard(p, written_call, *runs);
    const Term theirs = substitute(arena_, guard(q, written_call, *runs), copy(1));
    std::vector<Term> ways{runs->errors()};
    for (std::size_t outcome = 0; outcome < called.outcomes.size(); ++outcome)
      ways.push_back(runs->ends(outcome));
    const Formula runs_here = runs->may_by_arguments(arena_.disj(std::move(ways)));
    found.apart = !impossible(all_of(arena_, {there, arena_.negate(arena_.eq(mine, theirs)),
                                              runs_here, substitute(arena_, runs_here, copy(1))}));
    if (found.apart) return;
    const Formula admitted = both(there, arena_.conj(mine, theirs));
    for (std::size_t outcome = 0; outcome < called.outcomes.size(); ++outcome) {
      const std::size_t letter = component_.letter_of(call, outcome);
      for (std::uint32_t t : alignment_.cells(p, letter))
        for (std::uint32_t u : alignment_.cells(q, letter)) {
          const State to = interface_.transitions[t].to, other = interface_.transitions[u].to;
          const Formula taken = steps(*runs, called, outcome, t, u, without, false);
          if (impossible(both(admitted, taken))) continue;
          if (to != other) found.together.emplace_back(to, other);
          if (tracked_.empty()) continue;
          found.apart =
              !impossible(both(admitted, steps(*runs, called, outcome, t, u, without, true)));
          if (found.apart) return;
        }
    }
  }

  /// The same is seen of both along these cells; with different tracked values afterwards if asked.
  Formula steps(const CallRuns& runs, const Call& call, std::size_t outcome, std::size_t t,
                std::size_t u, std::optional<std::size_t> without, bool differ) {
    std::vector<Term> values, others;
    for (std::size_t i = 0; i < tracked_.size(); ++i) {
      values.push_back(named("mine " + std::to_string(i), i));
      others.push_back(named("theirs " + std::to_string(i), i));
    }
    Term result = nullptr;
    if (const Term variable = ClientConditions::result_of(component_, call)) {
      result = arena_.var(prefix_ + "result " + call.name, erasure_.sort(variable->sort));
      prover_.declare(result, Type{.sort = variable->sort});
    }
    const auto along = [&](std::size_t cell, const std::vector<Term>& after) {
      return runs.may_by_arguments(runs.ends(outcome, [&](const Exit& exit) {
        std::vector<Term> parts{applies(conditions_.cell(cell), runs, call, exit)};
        if (result != nullptr && exit.value != nullptr)
          parts.push_back(arena_.eq(result, exit.value));
        for (std::size_t i = 0; i < tracked_.size(); ++i)
          parts.push_back(erasure_.equal(conditions_.tracked()[i].term->sort, after[i],
                                         runs.after(exit, tracked_[i])));
        return arena_.conj(std::move(parts));
      }));
    };
    std::vector<Term> apart;
    for (std::size_t i = 0; i < tracked_.size(); ++i)
      if (without != i)
        apart.push_back(arena_.negate(
            erasure_.equal(conditions_.tracked()[i].term->sort, values[i], others[i])));
    return all_of(arena_, {along(t, values), substitute(arena_, along(u, others), copy(1)),
                           differ ? arena_.disj(std::move(apart)) : arena_.truth()});
  }

  Term named(const std::string& name, std::size_t i) {
    const Sort sort = conditions_.tracked()[i].term->sort;
    const Term variable = arena_.var(prefix_ + name, erasure_.sort(sort));
    prover_.declare(variable, Type{.sort = sort});
    return variable;
  }

  /// Merging two states merges what they lead to by the same letter, and so on.
  bool mergeable(State p, State q) {
    std::vector<State> part(interface_.states.size());
    std::iota(part.begin(), part.end(), State{0});
    const auto join = [&](State a, State b) {
      const State from = part[b], to = part[a];
      std::ranges::replace(part, from, to);
    };
    join(p, q);
    for (bool changed = true; changed;) {
      changed = false;
      for (State a = 0; a < part.size(); ++a)
        for (State b = a + 1; b < part.size(); ++b) {
          if (part[a] != part[b]) continue;
          const Difference& found = difference(a, b, std::nullopt);
          if (found.apart) return false;
          for (const auto& [x, y] : found.together)
            if (part[x] != part[y]) {
              join(x, y);
              changed = true;
            }
        }
    }
    return true;
  }

  bool tracked_values() {
    for (std::size_t i = 0; i < tracked_.size(); ++i) {
      bool needed = false;
      for (State q = 0; q < interface_.states.size() && !needed; ++q) {
        const Difference& found = difference(q, q, i);
        needed = found.apart || !found.together.empty();
      }
      if (!needed)
        return not_minimal(fmt::format("'{}' need not be tracked", conditions_.tracked()[i].name));
    }
    return true;
  }

  bool cells() {
    for (std::size_t t = 0; t < interface_.transitions.size(); ++t) {
      const InterfaceTransition& transition = interface_.transitions[t];
      const std::size_t call = alignment_.call[transition.call];
      const CallRuns* runs = this->runs(call);
      if (runs == nullptr) return false;
      const Call& called = component_.calls()[call];
      const auto outcomes = alignment_.stands_for[transition.call][transition.outcome];
      const Term from =
          arena_.conj(label(transition.from), guard(transition.from, transition.call, *runs));
      const auto taken = [&](const CallRuns::AtExit& condition) {
        std::vector<Term> ways;
        for (std::size_t outcome : outcomes)
          ways.push_back(runs->ends(outcome, [&](const Exit& exit) {
            return arena_.conj(applies(conditions_.cell(t), *runs, called, exit), condition(exit));
          }));
        return both(from, runs->may_by_arguments(arena_.disj(std::move(ways))));
      };
      if (impossible(taken([&](const Exit&) { return arena_.truth(); })))
        return not_minimal(fmt::format("transition {} is never taken", t));
      for (std::uint32_t u :
           alignment_.cells(transition.from, component_.letter_of(call, outcomes.front()))) {
        if (u == t || interface_.transitions[u].to != transition.to) continue;
        const auto differs = [&](const Exit& exit) {
          return arena_.negate(updated(conditions_.cell(u), *runs, called, exit));
        };
        if (impossible(taken(differs)))
          return not_minimal(fmt::format("transition {} can take what {} takes", u, t));
      }
    }
    return true;
  }

  std::map<std::tuple<State, State, std::optional<std::size_t>>, Difference> known_;
};

} // namespace

bool check_minimal(const Interface& interface, const Component& component,
                   const Alignment& alignment, const ClientConditions& conditions, Budget* budget,
                   Findings& findings) {
  return Minimality(interface, component, alignment, conditions, budget, findings).run();
}

} // namespace tacit
