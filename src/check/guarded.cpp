#include "check/guarded.h"

#include <algorithm>
#include <map>

#include "check/guarded_setting.h"

namespace tacit {

namespace {

using Answer = Prover::Answer;

class GuardedObligations : private GuardedSetting {
public:
  GuardedObligations(const Interface& interface, const Component& component,
                     const Alignment& alignment, const ClientConditions& conditions, Budget* budget,
                     Findings& findings)
      : GuardedSetting(interface, component, alignment, conditions, budget, findings) {}

  std::size_t run() {
    if (!claims_.any() || !read_evidence()) return 0;
    const bool only_permissive = safe_.empty() && !permissive_.empty();
    if (!only_permissive) {
      check_shown_labels();
      check_labels({safe_, "", claims_, claims_.safe, true});
    }
    if (only_permissive || (!permissive_.empty() && claims_.permissive)) {
      const ClaimSet touched = only_permissive ? claims_ : ClaimSet{.permissive = true};
      check_labels({permissive_, "permissive ", touched, false, only_permissive});
    }
    if (claims_.permissive) check_refusals();
    if (claims_.full) check_full();
    if (claims_.permissive || claims_.full) check_must_nodes();
    return solver_.queries();
  }

private:
  // Labels

  struct Labelling {
    const std::vector<Term>& labels;
    std::string kind; // before the names of obligations
    ClaimSet touched;
    bool safety;  // no allowed call errs in it
    bool primary; // loop bounds, cells and updates are shown with it
  };

  void check_labels(const Labelling& by) {
    for (std::size_t k = 0; k < component_.constructors().size() && !findings_.stop(); ++k) {
      for (std::size_t i : alignment_.starts[k]) check_start(k, i, by);
      if (by.primary) check_starts(k, by.touched);
    }
    for (State q = 0; q < interface_.states.size(); ++q)
      for (std::size_t i = 0; i < interface_.calls.size(); ++i) {
        if (findings_.stop()) return;
        if (interface_.states[q].allows[i]) check_call(q, i, by);
      }
  }

  Term ends_normally(const CallRuns& runs, const Call& call, const CallRuns::AtExit& condition) {
    std::vector<Term> ways;
    for (std::size_t outcome = 0; outcome < call.outcomes.size(); ++outcome)
      if (normal(call.outcomes[outcome])) ways.push_back(runs.ends(outcome, condition));
    return arena_.disj(std::move(ways));
  }

  void check_start(std::size_t constructor, std::size_t initial, const Labelling& by) {
    const CallRuns* runs = constructor_runs(constructor);
    if (runs == nullptr) return;
    const Call& call = component_.constructors()[constructor];
    const State q = interface_.initial[initial].state;
    const ClientConditions::Cell& start = conditions_.start(initial);
    const Term when = at_start(start.when.term, *runs);
    if (by.primary)
      check_loops(*runs, call, "at the start", both(when, runs->may_by_arguments(runs->beyond())),
                  by.touched);
    const auto check = [&](const std::string& obligation, Term run, std::string message,
                           ClaimSet touched) {
      findings_.obligation();
      refute(obligation, both(when, runs->may_by_arguments(run)),
             {std::move(message), !runs->exact(), runs, {}}, touched);
    };
    check(fmt::format("{}initiation of {} --> q{}", by.kind, call.name, q),
          ends_normally(
              *runs, call,
              [&](const Exit& exit) { return arena_.negate(runs->after(exit, by.labels[q])); }),
          fmt::format("the constructor can end outside the label of q{}", q), by.touched);
    if (by.primary && !tracked_.empty())
      check(fmt::format("tracked values of {} --> q{}", call.name, q),
            ends_normally(*runs, call,
                          [&](const Exit& exit) {
                            return arena_.negate(
                                substitute(arena_, updated(start, *runs, call, exit), initial_));
                          }),
            "a tracked value can be another than is said", by.touched);
    if (!by.safety) return;
    check(fmt::format("safety of {} --> q{}", call.name, q), runs->errors(),
          "the constructor can err with arguments that are allowed", {.safe = true});
    check_makes_object(*runs, call, q, when);
  }

  /// Arguments with which a constructor makes no object are refused.
  void check_makes_object(const CallRuns& runs, const Call& call, State q, Term when) {
    std::vector<Term> fails;
    for (std::size_t outcome = 0; outcome < call.outcomes.size(); ++outcome)
      if (!normal(call.outcomes[outcome])) fails.push_back(runs.ends(outcome));
    if (fails.empty()) return;
    const Term made = arena_.disj(
        ends_normally(runs, call, [&](const Exit&) { return arena_.truth(); }), runs.beyond());
    const TermSet given = passed(when);
    findings_.obligation();
    refute(fmt::format("object of {} --> q{}", call.name, q),
           all_of(arena_, {when,
                           substitute(arena_, runs.may_by_arguments(arena_.disj(std::move(fails))),
                                      copy(1, given)),
                           negation(arena_, from_some_start(runs.may_by_arguments(made), given))}),
           {"with some arguments that are allowed the constructor makes no object"},
           {.safe = true});
  }

  /// Of all starts of a constructor together: they exclude each other, and arguments that none of
  /// them takes err or make no object.
  void check_starts(std::size_t constructor, ClaimSet touched) {
    const CallRuns* runs = constructor_runs(constructor);
    if (runs == nullptr) return;
    const Call& call = component_.constructors()[constructor];
    std::vector<Term> allowed, overlaps;
    for (std::size_t i : alignment_.starts[constructor]) {
      const Term when = at_start(conditions_.start(i).when.term, *runs);
      for (Term other : allowed) overlaps.push_back(arena_.conj(when, other));
      allowed.push_back(when);
    }
    if (!overlaps.empty()) {
      findings_.obligation();
      refute(fmt::format("starts of {}", call.name), arena_.disj(std::move(overlaps)),
             {"two of them take the same arguments"}, touched);
    }
    const Term refused = arena_.negate(arena_.disj(std::move(allowed)));
    if (!claims_.permissive || is_false(refused)) return;
    findings_.obligation();
    const Term object = ends_normally(*runs, call, [&](const Exit&) { return arena_.truth(); });
    const TermSet given = passed(refused);
    refute(fmt::format("refusal of {}", call.name),
           all_of(arena_,
                  {refused,
                   substitute(arena_, runs->may_by_arguments(arena_.disj(object, runs->beyond())),
                              copy(1, given)),
                   negation(arena_,
                            from_some_start(runs->must_by_arguments(runs->surely_errs()), given))}),
           {"arguments that are refused make an object and do not err", !runs->exact(), runs, {}},
           {.permissive = true});
  }

  /// State variables in a condition on arguments: what these lead to is the client's, too.
  TermSet passed(Term condition) {
    TermSet given;
    for (Term variable : variables(condition))
      if (std::ranges::find(encoder_.state(), variable) != encoder_.state().end())
        given.insert(variable);
    return given;
  }

  /// Variables without an initial value have some, other than those that are given.
  Formula from_some_start(const Formula& formula, const TermSet& given) {
    std::vector<Term> open, facts;
    const auto& state = component_.module().state;
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (state[i].initial != nullptr || given.contains(encoder_.state()[i])) continue;
      open.push_back(encoder_.state()[i]);
      facts.push_back(type_fact(arena_, state[i].type, encoder_.state()[i]));
    }
    return exists(std::move(open), both(arena_.conj(std::move(facts)), formula));
  }

  struct Step {
    std::string obligation, message;
    std::optional<std::size_t> outcome;
    Term wrong;
    ClaimSet touched;
  };

  /// All obligations of an allowed call in a state. One query for all of them usually settles it.
  void check_call(State q, std::size_t written_call, const Labelling& by) {
    const std::size_t call = alignment_.call[written_call];
    const CallRuns* runs = this->runs(call);
    if (runs == nullptr) return;
    const Call& called = component_.calls()[call];
    const Term from = arena_.conj(by.labels[q], guard(q, written_call, *runs));
    std::vector<Step> steps;
    if (by.safety)
      steps.push_back({fmt::format("safety of {} in q{}", called.name, q),
                       "the call can err with arguments that its guard admits",
                       std::nullopt,
                       runs->errors(),
                       {.safe = true}});
    for (std::size_t outcome = 0; outcome < called.outcomes.size(); ++outcome)
      cell_steps(q, call, outcome, *runs, by, steps);
    std::vector<Term> wrong;
    if (by.primary) wrong.push_back(runs->beyond());
    for (const Step& step : steps) {
      findings_.obligation();
      wrong.push_back(step.wrong);
    }
    const Formula all = both(from, runs->may_by_arguments(arena_.disj(std::move(wrong))));
    if (prover_.satisfiable(all).answer == Answer::Unsat) return;

    if (by.primary)
      check_loops(*runs, called, fmt::format("in q{}", q),
                  both(from, runs->may_by_arguments(runs->beyond())), by.touched);
    for (const Step& step : steps)
      refute(step.obligation, both(from, runs->may_by_arguments(step.wrong)),
             {step.message, !runs->exact(), runs, step.outcome}, step.touched);
  }

  void cell_steps(State q, std::size_t call, std::size_t outcome, const CallRuns& runs,
                  const Labelling& by, std::vector<Step>& steps) {
    const Call& called = component_.calls()[call];
    const std::size_t letter = component_.letter_of(call, outcome);
    const auto cells = alignment_.cells(q, letter);
    const auto at = [&](std::size_t cell, const Exit& exit) {
      return applies(conditions_.cell(cells[cell]), runs, called, exit);
    };
    if (by.primary) {
      const auto uncovered = [&](const Exit& exit) {
        std::vector<Term> any;
        for (std::size_t i = 0; i < cells.size(); ++i) any.push_back(at(i, exit));
        return arena_.negate(arena_.disj(std::move(any)));
      };
      steps.push_back({fmt::format("absence of {} in q{}", letter_name(call, outcome), q),
                       cells.empty() ? "the outcome can happen, but has no transition"
                                     : "the outcome can happen outside of all its cells",
                       outcome, runs.ends(outcome, uncovered), by.touched});
    }
    if (by.primary && cells.size() > 1) {
      const auto overlap = [&](const Exit& exit) {
        std::vector<Term> twice;
        for (std::size_t i = 0; i < cells.size(); ++i)
          for (std::size_t j = 0; j < i; ++j)
            twice.push_back(arena_.conj(at(i, exit), at(j, exit)));
        return arena_.disj(std::move(twice));
      };
      steps.push_back({fmt::format("cells of {} in q{}", letter_name(call, outcome), q),
                       "two cells apply at once", outcome, runs.ends(outcome, overlap),
                       by.touched});
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const State to = interface_.transitions[cells[i]].to;
      const std::string way = arrow(component_, q, letter, to);
      const auto leaves = [&](const Exit& exit) {
        return arena_.conj(at(i, exit), arena_.negate(runs.after(exit, by.labels[to])));
      };
      steps.push_back({fmt::format("{}consecution of {}", by.kind, way),
                       fmt::format("the call can leave the label of q{}", to), outcome,
                       runs.ends(outcome, leaves), by.touched});
      if (!by.primary || tracked_.empty()) continue;
      const auto differs = [&](const Exit& exit) {
        return arena_.conj(at(i, exit),
                           arena_.negate(updated(conditions_.cell(cells[i]), runs, called, exit)));
      };
      steps.push_back({fmt::format("tracked values of {}", way),
                       "a tracked value can become another than is said", outcome,
                       runs.ends(outcome, differs), by.touched});
    }
  }

  // Permissive

  /// The must-nodes that entries of 'forbidden' name, by state and call.
  std::map<std::pair<State, std::size_t>, std::vector<std::size_t>> refusal_nodes() {
    std::map<std::pair<State, std::size_t>, std::vector<std::size_t>> nodes;
    for (const auto& [refusal, node] : interface_.evidence.refusal_must) {
      const std::string name = fmt::format("must-node of refusal {}", refusal);
      const ClaimSet touched{.permissive = true};
      if (refusal >= interface_.forbidden.size() || !interface_.forbidden[refusal].state) {
        findings_.reject(touched, name, "there is no such refusal in a state");
        continue;
      }
      const Refusal& entry = interface_.forbidden[refusal];
      if (!node_predicate(node, *entry.state, name, touched)) continue;
      nodes[{*entry.state, entry.call}].push_back(node);
      need(node);
    }
    return nodes;
  }

  void check_refusals() {
    const auto nodes = refusal_nodes();
    for (State q = 0; q < interface_.states.size(); ++q)
      for (std::size_t call = 0; call < interface_.calls.size(); ++call) {
        if (findings_.stop()) return;
        const auto named = nodes.find(std::pair(q, call));
        check_refusal(q, call, named == nodes.end() ? std::vector<std::size_t>{} : named->second);
      }
  }

  /// For the values and arguments that are refused: everywhere in the label the call errs or has no
  /// run, or everywhere in one of the must-nodes it errs. What hidden values leave no run is none
  /// in the label, from a state of which each word has one; a node might be left by all others.
  void check_refusal(State q, std::size_t call, const std::vector<std::size_t>& nodes) {
    if (is_true(conditions_.guard(q, call))) return;
    const CallRuns* runs = this->runs(alignment_.call[call]);
    if (runs == nullptr) return;
    std::vector<Term> ways{runs->errors(), runs->beyond()};
    const Call& called = component_.calls()[alignment_.call[call]];
    for (std::size_t outcome = 0; outcome < called.outcomes.size(); ++outcome)
      ways.push_back(runs->ends(outcome));
    const Formula harmless = negation(arena_, runs->must_by_arguments(runs->surely_errs()));
    const Formula serves = negation(arena_, runs->must_by_arguments(runs->surely_errs_if_at_all()));
    std::vector<Formula> parts{labels(q), arena_.negate(guard(q, call, *runs)), serves,
                               runs->may_by_arguments(arena_.disj(std::move(ways)))};
    const std::string name = fmt::format("refusal of {} in q{}", called.name, q);
    const ClaimSet touched{.permissive = true};
    findings_.obligation();
    if (!nodes.empty() && prover_.satisfiable(all_of(arena_, parts)).answer == Answer::Unsat)
      return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const StateCopy& other = copy(i + 1);
      parts.emplace_back(
          arena_.conj(same_tracked(copy(0), other), same_passed(q, call, *runs, copy(0), other)));
      parts.push_back(
          substitute(arena_, both(arena_.conj(labels(q), must_[nodes[i]]), harmless), other));
    }
    refute(
        name, all_of(arena_, std::move(parts)),
        {"arguments that are refused do not err everywhere they should", !runs->exact(), runs, {}},
        touched);
  }

  // Must-nodes

  /// The nodes that claims rest on, and those that justify them in turn. Justification is by
  /// induction on the length of words, so nodes may name each other.
  void check_must_nodes() {
    const ClaimSet touched{.permissive = true, .full = true};
    std::vector<std::vector<std::size_t>> into(interface_.states.size());
    for (std::size_t t = 0; t < interface_.transitions.size(); ++t)
      into[interface_.transitions[t].to].push_back(t);
    for (std::size_t i = 0; i < needed_.size() && !findings_.stop(); ++i) {
      const std::size_t n = needed_[i];
      const MustNode& node = interface_.evidence.must[n];
      const std::string name = fmt::format("must-node {} at q{}", n, node.state);
      for (std::size_t k = 0; k < component_.constructors().size(); ++k)
        for (std::size_t start : alignment_.starts[k])
          if (interface_.initial[start].state == node.state)
            check_must_start(n, k, start, name, touched);
      for (const MustNode::Incoming& entry : node.incoming)
        if (entry.transition >= interface_.transitions.size() ||
            interface_.transitions[entry.transition].to != node.state)
          findings_.reject(
              touched, name,
              fmt::format("transition {} does not lead to its state", entry.transition));
      for (std::size_t t : into[node.state]) {
        if (findings_.stop()) return;
        check_must_step(n, t, name, touched);
      }
    }
  }

  /// What the client sees of a call that has ended, as variables; null when it sees something that
  /// cannot be put into a formula.
  struct Observation {
    Term result = nullptr;                            // null: nothing is returned, or nobody looks
    std::vector<std::pair<std::size_t, Term>> client; // state variable, value
    bool whole = true;
  };

  Observation observation(const Call& call) {
    Observation seen;
    if (call.blind) return seen;
    const Procedure& body = component_.body(call);
    if (body.returns) {
      seen.whole = body.returns->sort->kind != SortKind::Map;
      if (seen.whole) seen.result = observed("the result", Type{.sort = body.returns->sort});
    }
    const auto& state = component_.module().state;
    for (std::size_t i = 0; i < state.size(); ++i)
      if (state[i].client)
        seen.client.emplace_back(i, observed("seen " + state[i].name(), state[i].type));
    return seen;
  }

  Term observed(const std::string& name, const Type& type) {
    const Term variable = arena_.var(prefix_ + name, erasure_.sort(type.sort));
    prover_.declare(variable, type);
    return variable;
  }

  /// An exit shows this.
  Term shows(const Exit& exit, const Observation& seen) {
    std::vector<Term> parts;
    if (seen.result != nullptr && exit.value != nullptr)
      parts.push_back(arena_.eq(exit.value, seen.result));
    const auto& state = component_.module().state;
    for (const auto& [i, value] : seen.client)
      parts.push_back(erasure_.equal(state[i].type.sort, exit.after[i], value));
    return arena_.conj(std::move(parts));
  }

  bool observable(const Observation& seen, const std::string& name, ClaimSet touched) {
    if (!seen.whole)
      findings_.undecided(touched, name, "the call returns a map, which is not compared");
    return seen.whole;
  }

  void check_must_start(std::size_t n, std::size_t constructor, std::size_t start,
                        const std::string& name, ClaimSet touched) {
    const CallRuns* runs = constructor_runs(constructor);
    if (runs == nullptr) return;
    const Call& call = component_.constructors()[constructor];
    const std::string from = fmt::format("{} from {}", name, call.name);
    const Observation seen = observation(call);
    if (!observable(seen, from, touched)) return;
    const Term when = at_start(conditions_.start(start).when.term, *runs);
    const TermSet given = passed(when);
    for (std::size_t outcome = 0; outcome < call.outcomes.size(); ++outcome) {
      if (!normal(call.outcomes[outcome])) continue;
      const Term happened =
          runs->ends(outcome, [&](const Exit& exit) { return shows(exit, seen); });
      const Term again = runs->surely_ends(outcome, [&](const Exit& exit) {
        return arena_.conj(shows(exit, seen), runs->after(exit, must_[n]));
      });
      findings_.obligation();
      refute(from,
             all_of(arena_,
                    {when, substitute(arena_, runs->may_by_arguments(happened), copy(1, given)),
                     negation(arena_, from_some_start(runs->must_by_arguments(again), given))}),
             {"with some arguments no run of the constructor ends in it", !runs->exact(), runs, {}},
             touched);
    }
  }

  /// Whatever was observed along the transition from some state of the label, from every state of
  /// the source with the same tracked values the same can be observed on a way into the node.
  void check_must_step(std::size_t n, std::size_t t, const std::string& name, ClaimSet touched) {
    const InterfaceTransition& transition = interface_.transitions[t];
    const std::size_t call = alignment_.call[transition.call];
    const CallRuns* runs = this->runs(call);
    if (runs == nullptr) return;
    const Call& called = component_.calls()[call];
    const Observation seen = observation(called);
    const ClientConditions::Cell& cell = conditions_.cell(t);
    const State q = transition.from;
    for (std::size_t outcome : alignment_.stands_for[transition.call][transition.outcome]) {
      const std::string along =
          fmt::format("{} along {}", name,
                      arrow(component_, q, component_.letter_of(call, outcome), transition.to));
      const Term within = runs->ends(outcome, [&](const Exit& exit) {
        return arena_.conj(applies(cell, *runs, called, exit), shows(exit, seen));
      });
      const Formula happened =
          substitute(arena_,
                     both(arena_.conj(labels(q), guard(q, transition.call, *runs)),
                          runs->may_by_arguments(arena_.disj(within, runs->beyond()))),
                     copy(1));
      const auto* entry = incoming(interface_.evidence.must[n], t, called.outcomes[outcome]);
      if (entry == nullptr) {
        if (prover_.satisfiable(happened).answer != Answer::Unsat)
          findings_.reject(touched, along, "no source is named for this transition");
        continue;
      }
      if (!observable(seen, along, touched)) continue;
      Term source = labels(q);
      if (entry->source) {
        const auto predicate = node_predicate(*entry->source, q, along, touched);
        if (!predicate) continue;
        source = arena_.conj(source, *predicate);
        need(*entry->source);
      }
      const Term again = runs->surely_ends(outcome, [&](const Exit& exit) {
        return arena_.conj(shows(exit, seen), runs->after(exit, must_[n]));
      });
      findings_.obligation();
      refute(along,
             all_of(arena_, {happened, source, same_tracked(copy(0), copy(1)),
                             same_passed(q, transition.call, *runs, copy(0), copy(1)),
                             negation(arena_, runs->must_by_arguments(again))}),
             {"from some state of the source what was observed does not lead into it",
              !runs->exact(),
              runs,
              {}},
             touched);
    }
  }

  // Full

  /// An outcome of which some cell leaves room for arguments that are admitted can happen, with
  /// such arguments: fullness speaks of outcomes, not of one argument or one cell.
  void check_full() {
    for (State q = 0; q < interface_.states.size(); ++q)
      for (std::size_t i = 0; i < interface_.calls.size(); ++i) {
        const std::size_t call = alignment_.call[i];
        for (std::size_t outcome = 0; outcome < component_.calls()[call].outcomes.size();
             ++outcome) {
          if (findings_.stop()) return;
          const auto cells = alignment_.cells(q, component_.letter_of(call, outcome));
          if (!cells.empty()) check_possible(q, i, outcome, cells, {.full = true});
        }
      }
  }

  void check_possible(State q, std::size_t written_call, std::size_t outcome,
                      const std::vector<std::uint32_t>& cells, ClaimSet touched) {
    const std::size_t call = alignment_.call[written_call];
    const CallRuns* runs = this->runs(call);
    if (runs == nullptr) return;
    const Call& called = component_.calls()[call];
    const std::string name = fmt::format("possibility of {} in q{}", letter_name(call, outcome), q);
    const Term result = ClientConditions::result_of(component_, called);
    const Term returned =
        result == nullptr ? nullptr : observed("some result", *component_.body(called).returns);
    Term from = labels(q);
    std::vector<Term> room;
    for (std::uint32_t t : cells) {
      room.push_back(over_state(conditions_.cell(t).when.term, *runs, result, returned));
      const auto node = possible_from(t, called.outcomes[outcome]);
      if (!node) continue;
      const auto predicate = node_predicate(*node, q, name, touched);
      if (!predicate) return;
      need(*node);
      from = arena_.conj(labels(q), *predicate);
    }
    const Term admitted = guard(q, written_call, *runs);
    std::vector<Term> facts{admitted};
    for (const Choice& choice : runs->upper().choices)
      if (choice.chooser == Chooser::Client && choice.target != nullptr)
        facts.push_back(type_fact(arena_, choice.type, choice.term));
    const Formula happens = runs->must_by_arguments(runs->surely_ends(outcome));
    const Formula expected = arena_.conj({from, admitted, arena_.disj(std::move(room))});
    findings_.obligation();
    // Often the arguments that show that something is expected show that it happens.
    if (prover_.satisfiable(both(expected, negation(arena_, happens))).answer == Answer::Unsat)
      return;
    const Formula possible =
        exists(runs->arguments(), both(arena_.conj(std::move(facts)), happens));
    refute(name, both(expected, negation(arena_, possible)),
           {"the outcome cannot happen everywhere it should", !runs->exact(), runs, {}}, touched);
  }

  /// The must-node that the evidence names for a transition, or for one of its outcomes.
  std::optional<std::size_t> possible_from(std::size_t t, const std::string& outcome) const {
    const Evidence& evidence = interface_.evidence;
    if (const auto named = evidence.outcome_must.find(std::pair(t, outcome));
        named != evidence.outcome_must.end())
      return named->second;
    const auto named = evidence.transition_must.find(t);
    return named == evidence.transition_must.end() ? std::nullopt : std::optional(named->second);
  }
};

} // namespace

std::size_t check_guarded(const Interface& interface, const Component& component,
                          const Alignment& alignment, const ClientConditions& conditions,
                          Budget* budget, Findings& findings) {
  return GuardedObligations(interface, component, alignment, conditions, budget, findings).run();
}

} // namespace tacit
