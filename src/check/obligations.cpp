#include "check/obligations.h"

#include <algorithm>
#include <map>

#include "check/labelled.h"
#include "logic/term/parse.h"
#include "program/ir/scope.h"

namespace tacit {

namespace {

using Answer = Prover::Answer;

class Obligations : private LabelledSetting {
public:
  Obligations(const Interface& interface, const Component& component, const Alignment& alignment,
              Budget* budget, Findings& findings)
      : LabelledSetting(interface, component, alignment, budget, findings) {}

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
    if ((claims_.permissive || claims_.full) && !must_.empty()) check_must_nodes();
    if (claims_.full) check_full();
    if (component_.options().arguments == Arguments::Angelic) check_guards();
    return solver_.queries();
  }

private:
  std::string letter_name(std::size_t call, std::size_t outcome) const {
    return component_.letter_name(component_.letter_of(call, outcome));
  }

  // Labels

  struct Labelling {
    const std::vector<Term>& labels;
    std::string kind; // before the names of obligations
    ClaimSet touched;
    bool safety;  // no allowed call errs in it
    bool primary; // loop bounds and impossible outcomes are shown with it
  };

  void check_labels(const Labelling& by) {
    for (std::size_t k = 0; k < component_.constructors().size() && !findings_.stop(); ++k) {
      const State q = alignment_.start[k];
      if (q != no_state)
        check_start(k, q, by);
      else if (by.primary)
        check_no_start(k);
    }
    for (State q = 0; q < interface_.states.size(); ++q) {
      for (std::size_t i = 0; i < interface_.calls.size(); ++i) {
        if (findings_.stop()) return;
        if (interface_.states[q].allows[i]) check_call(q, alignment_.call[i], by);
      }
    }
  }

  void check_start(std::size_t constructor, State q, const Labelling& by) {
    const CallRuns* runs = constructor_runs(constructor);
    if (runs == nullptr) return;
    const Call& call = component_.constructors()[constructor];
    if (by.primary)
      check_loops(*runs, call, "at the start", runs->any_run(runs->beyond()), by.touched);
    for (std::size_t outcome = 0; outcome < call.outcomes.size(); ++outcome) {
      if (!normal(call.outcomes[outcome])) continue;
      findings_.obligation();
      refute(fmt::format("{}initiation of {} --> q{}", by.kind, call.name, q),
             runs->may_run(runs->ends(outcome, arena_.negate(by.labels[q]))),
             {fmt::format("the constructor can end outside the label of q{}", q), !runs->exact(),
              runs, outcome},
             by.touched);
    }
    if (!by.safety) return;
    findings_.obligation();
    refute(fmt::format("safety of {}", call.name), runs->may_err(),
           {"the allowed constructor can err", !runs->exact(), runs, {}}, {.safe = true});
  }

  /// A constructor without start state should err or have no result.
  void check_no_start(std::size_t constructor) {
    if (!claims_.permissive) return;
    const CallRuns* runs = constructor_runs(constructor);
    if (runs == nullptr) return;
    const Call& call = component_.constructors()[constructor];
    const auto refusal = std::ranges::find_if(interface_.forbidden, [&](const Refusal& r) {
      return !r.state && interface_.constructors[r.call] == call.name;
    });
    findings_.obligation();
    const ClaimSet touched{.permissive = true};
    if (refusal != interface_.forbidden.end()) {
      witness(fmt::format("refusal of {}", call.name), runs->must_err(),
              {"the refused constructor cannot err", !runs->exact(), nullptr, {}}, touched);
      return;
    }
    check_loops(*runs, call, "at the start", runs->any_run(runs->beyond()), touched);
    std::vector<Term> ends;
    for (std::size_t outcome = 0; outcome < call.outcomes.size(); ++outcome)
      if (normal(call.outcomes[outcome])) ends.push_back(runs->ends(outcome));
    refute(fmt::format("missing start of {}", call.name),
           runs->may_run(arena_.disj(std::move(ends))),
           {"the constructor is neither allowed nor refused, and it can return",
            !runs->exact(),
            runs,
            {}},
           touched);
  }

  /// All obligations of an allowed call in a state. One query for all of them usually settles it.
  void check_call(State q, std::size_t call, const Labelling& by) {
    const CallRuns* runs = this->runs(call);
    if (runs == nullptr) return;
    const Call& called = component_.calls()[call];
    struct Step {
      std::size_t outcome;
      State to;
      Term wrong;
    };
    std::vector<Step> steps;
    std::vector<Term> wrong;
    if (by.primary) wrong.push_back(runs->beyond());
    if (by.safety) {
      wrong.push_back(runs->errors());
      findings_.obligation();
    }
    for (std::size_t outcome = 0; outcome < called.outcomes.size(); ++outcome) {
      const std::uint32_t t = alignment_.transition(q, component_.letter_of(call, outcome));
      const State to = t == Alignment::none ? no_state : interface_.transitions[t].to;
      if (to == no_state && !by.primary) continue;
      findings_.obligation();
      const Term bad =
          to == no_state ? runs->ends(outcome) : runs->ends(outcome, arena_.negate(by.labels[to]));
      steps.push_back({outcome, to, bad});
      wrong.push_back(bad);
    }
    const Formula all = both(by.labels[q], runs->any_run(arena_.disj(std::move(wrong))));
    if (prover_.satisfiable(all).answer == Answer::Unsat) return;

    if (by.primary)
      check_loops(*runs, called, fmt::format("in q{}", q),
                  both(by.labels[q], runs->any_run(runs->beyond())), by.touched);
    if (by.safety)
      refute(fmt::format("safety of {} in q{}", called.name, q),
             both(by.labels[q], runs->may_err()),
             {"the allowed call can err", !runs->exact(), runs, {}}, {.safe = true});
    for (const Step& step : steps) {
      const Formula formula = both(by.labels[q], runs->may_run(step.wrong));
      if (step.to == no_state)
        refute(
            fmt::format("{}absence of {} in q{}", by.kind, letter_name(call, step.outcome), q),
            formula,
            {"the outcome can happen, but has no transition", !runs->exact(), runs, step.outcome},
            by.touched);
      else
        refute(fmt::format("{}consecution of {}", by.kind,
                           arrow(component_, q, component_.letter_of(call, step.outcome), step.to)),
               formula,
               {fmt::format("the call can leave the label of q{}", step.to), !runs->exact(), runs,
                step.outcome},
               by.touched);
    }
  }

  // Permissive

  void check_refusals() {
    const ClaimSet touched{.permissive = true};
    std::map<std::pair<State, std::size_t>, std::size_t> nodes;
    for (const auto& [refusal, node] : interface_.evidence.refusal_must) {
      if (refusal < interface_.forbidden.size() && interface_.forbidden[refusal].state)
        nodes.emplace(
            std::pair(*interface_.forbidden[refusal].state, interface_.forbidden[refusal].call),
            node);
      else
        findings_.reject(touched, fmt::format("must-node of refusal {}", refusal),
                         "there is no such refusal in a state");
    }
    for (State q = 0; q < interface_.states.size(); ++q) {
      for (std::size_t call = 0; call < interface_.calls.size(); ++call) {
        if (interface_.states[q].allows[call]) continue;
        if (findings_.stop()) return;
        const auto node = nodes.find(std::pair(q, call));
        check_refusal(q, call, node == nodes.end() ? std::nullopt : std::optional(node->second),
                      touched);
      }
    }
  }

  void check_refusal(State q, std::size_t call, std::optional<std::size_t> node, ClaimSet touched) {
    const std::string name = fmt::format("refusal of {} in q{}", interface_.calls[call].name, q);
    const CallRuns* runs = this->runs(alignment_.call[call]);
    if (runs == nullptr) return;
    Term from = labels(q);
    if (node) {
      const auto predicate = node_predicate(*node, q, name, touched);
      if (!predicate) return;
      from = *predicate;
    }
    findings_.obligation();
    refute(name, both(from, negation(arena_, runs->must_err())),
           {"the refused call does not err everywhere it should", !runs->exact(), runs, {}},
           touched);
  }

  // Must-nodes

  /// The nodes that claims rest on, and those that justify them in turn. Justification is by
  /// induction on the length of words, so nodes may name each other.
  void check_must_nodes() {
    const ClaimSet touched{.permissive = true, .full = true};
    const Evidence& evidence = interface_.evidence;
    std::vector<std::vector<std::size_t>> into(interface_.states.size());
    for (std::size_t t = 0; t < interface_.transitions.size(); ++t)
      into[interface_.transitions[t].to].push_back(t);
    if (claims_.permissive)
      for (const auto& [refusal, node] : evidence.refusal_must) need(node);
    if (claims_.full) {
      for (const auto& [transition, node] : evidence.transition_must) need(node);
      for (const auto& [transition, node] : evidence.outcome_must) need(node);
    }
    for (std::size_t i = 0; i < needed_.size() && !findings_.stop(); ++i) {
      const std::size_t n = needed_[i];
      const MustNode& node = evidence.must[n];
      const std::string name = fmt::format("must-node {} at q{}", n, node.state);
      for (std::size_t k = 0; k < component_.constructors().size(); ++k)
        if (alignment_.start[k] == node.state) check_must_start(n, k, name, touched);
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

  void check_must_start(std::size_t n, std::size_t constructor, const std::string& name,
                        ClaimSet touched) {
    const CallRuns* runs = constructor_runs(constructor);
    if (runs == nullptr) return;
    const Call& call = component_.constructors()[constructor];
    std::vector<Term> ends;
    for (std::size_t outcome = 0; outcome < call.outcomes.size(); ++outcome)
      if (normal(call.outcomes[outcome])) ends.push_back(runs->surely_ends(outcome, must_[n]));
    findings_.obligation();
    witness(fmt::format("{} from {}", name, call.name),
            runs->must_run(arena_.disj(std::move(ends))),
            {"no run of the constructor ends in it", !runs->exact(), nullptr, {}}, touched);
  }

  void check_must_step(std::size_t n, std::size_t t, const std::string& name, ClaimSet touched) {
    const MustNode& node = interface_.evidence.must[n];
    const InterfaceTransition& transition = interface_.transitions[t];
    const std::size_t call = alignment_.call[transition.call];
    const CallRuns* runs = this->runs(call);
    if (runs == nullptr) return;
    for (std::size_t outcome : alignment_.stands_for[transition.call][transition.outcome]) {
      const std::string along = fmt::format(
          "{} along {}", name,
          arrow(component_, transition.from, component_.letter_of(call, outcome), transition.to));
      if (!possible(t, outcome)) continue;
      const auto* entry = incoming(node, t, component_.calls()[call].outcomes[outcome]);
      if (entry == nullptr) {
        findings_.reject(touched, along, "no source is named for this transition");
        continue;
      }
      Term source = label(transition.from);
      if (entry->source) {
        const auto predicate = node_predicate(*entry->source, transition.from, along, touched);
        if (!predicate) continue;
        source = *predicate;
        need(*entry->source);
      }
      findings_.obligation();
      refute(along,
             both(source, negation(arena_, runs->must_run(runs->surely_ends(outcome, must_[n])))),
             {"from some state of the source no choice leads into it", !runs->exact(), runs, {}},
             touched);
    }
  }

  /// Whether the call can have the outcome somewhere in the label of the transition's origin; when
  /// it cannot, no realizable word takes it.
  bool possible(std::size_t t, std::size_t outcome) {
    const auto [place, made] = possible_.try_emplace(std::pair(t, outcome), true);
    if (!made) return place->second;
    const InterfaceTransition& transition = interface_.transitions[t];
    const CallRuns* runs = this->runs(alignment_.call[transition.call]);
    place->second =
        runs == nullptr || !is_false(runs->beyond()) ||
        prover_.satisfiable(both(label(transition.from), runs->may_run(runs->ends(outcome))))
                .answer != Answer::Unsat;
    return place->second;
  }

  // Full

  void check_full() {
    const ClaimSet touched{.full = true};
    const Evidence& evidence = interface_.evidence;
    for (std::size_t t = 0; t < interface_.transitions.size() && !findings_.stop(); ++t) {
      const InterfaceTransition& transition = interface_.transitions[t];
      const std::size_t call = alignment_.call[transition.call];
      const CallRuns* runs = this->runs(call);
      if (runs == nullptr) continue;
      for (std::size_t outcome : alignment_.stands_for[transition.call][transition.outcome]) {
        const std::string name = fmt::format(
            "possibility of {}",
            arrow(component_, transition.from, component_.letter_of(call, outcome), transition.to));
        std::optional<std::size_t> node;
        if (const auto named = evidence.transition_must.find(t);
            named != evidence.transition_must.end())
          node = named->second;
        if (const auto named = evidence.outcome_must.find(
                std::pair(t, component_.calls()[call].outcomes[outcome]));
            named != evidence.outcome_must.end())
          node = named->second;
        Term from = label(transition.from);
        if (node) {
          const auto predicate = node_predicate(*node, transition.from, name, touched);
          if (!predicate) continue;
          from = *predicate;
        }
        findings_.obligation();
        refute(name, both(from, negation(arena_, runs->must_run(runs->surely_ends(outcome)))),
               {"the outcome cannot happen everywhere it should", !runs->exact(), runs, {}},
               touched);
      }
    }
  }

  // Guards, which readers see

  /// Arguments that satisfy it cannot err there, and those that do not are not good.
  void check_guards() {
    for (const ArgumentGuard& guard : interface_.guards) {
      if (findings_.stop()) return;
      if (guard.state >= interface_.states.size() || guard.call >= interface_.calls.size()) {
        findings_.reject({}, "guards", "a guard is of a state or call that does not exist");
        continue;
      }
      const std::string name =
          fmt::format("guard of {} in q{}", interface_.calls[guard.call].name, guard.state);
      const std::size_t call = alignment_.call[guard.call];
      const CallRuns* runs = this->runs(call);
      if (runs == nullptr) continue;
      const Procedure& body = component_.body(component_.calls()[call]);
      auto read = parse_expression(guard.condition, name, arena_,
                                   ModuleScope(component_.module(), &body), arena_.bool_sort());
      if (!read) {
        findings_.reject({}, name, "it cannot be read", read.error().message);
        continue;
      }
      Substitution arguments;
      for (const Choice& choice : runs->upper().choices)
        if (choice.chooser == Chooser::Client && choice.target != nullptr)
          arguments.emplace(erasure_.term(choice.target), choice.term);
      const Term condition = substitute(arena_, erasure_.term(*read), arguments);
      std::vector<Formula> wrong{both(condition, runs->may_by_arguments(runs->errors()))};
      if (runs->exact()) wrong.push_back(both(arena_.negate(condition), runs->good_by_arguments()));
      findings_.obligation();
      const auto decision =
          prover_.satisfiable(both(label(guard.state), any_of(arena_, std::move(wrong))));
      if (decision.answer == Answer::Sat)
        findings_.reject({}, name, "it is not what arguments have to satisfy",
                         describe(decision.model));
      if (decision.answer == Answer::Unknown)
        findings_.unchecked("guards that the solver could not decide");
    }
  }

  std::map<std::pair<std::size_t, std::size_t>, bool> possible_;
};

} // namespace

std::size_t check_obligations(const Interface& interface, const Component& component,
                              const Alignment& alignment, Budget* budget, Findings& findings) {
  return Obligations(interface, component, alignment, budget, findings).run();
}

} // namespace tacit
