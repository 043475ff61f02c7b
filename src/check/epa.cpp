#include "check/epa.h"

#include <algorithm>
#include <functional>
#include <set>

#include "check/epa_texts.h"
#include "check/proof_setting.h"
#include "check/written_run.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/scope.h"

namespace tacit {
namespace {

using Answer = Prover::Answer;

class EpaObligations : private ProofSetting {
public:
  EpaObligations(const Interface& interface, const Component& component, const EpaTexts& texts,
                 Budget* budget, CheckReport& report, Findings& findings)
      : ProofSetting(interface, component, budget, findings, {}), about_(*interface.epa),
        texts_(texts), report_(report), written_(component), shown_(interface.states.size()) {
    for (const EpaCall& call : texts.calls) {
      Erased made{erasure_.term(call.above), erasure_.term(call.below), nullptr};
      if (!call.known()) {
        made.open = arena_.var("?enabled " + call.name, arena_.bool_sort());
        Type type;
        type.sort = arena_.bool_sort();
        prover_.declare(made.open, type);
      }
      calls_.push_back(made);
    }
    invariant_ = erasure_.term(texts.invariant);
  }

  std::size_t run() {
    if (!read_invariants()) return 0;
    check_invariant();
    for (std::size_t c = 0; c < calls_.size() && !findings_.stop(); ++c) check_clause(c);
    for (std::size_t i = 0; i < interface_.initial.size() && !findings_.stop(); ++i) check_start(i);
    for (std::size_t k = 0; k < component_.constructors().size() && !findings_.stop(); ++k)
      if (!is_open(component_.constructors()[k].name)) check_other_starts(k);
    for (std::size_t t = 0; t < interface_.transitions.size() && !findings_.stop(); ++t)
      check_transition(t);
    for (State q = 0; q < interface_.states.size() && !findings_.stop(); ++q) {
      check_state(q);
      for (std::size_t c = 0; c < calls_.size() && !findings_.stop(); ++c)
        if (interface_.states[q].allows[c] && !interface_.epa->is_open(q, c))
          check_other_successors(q, c);
    }
    return solver_.queries();
  }

private:
  struct Erased {
    Term above, below;
    Term open; // where the two differ: which of them is taken; else null
  };

  const EpaCall& call(std::size_t c) const { return texts_.calls[c]; }
  const Call& component_call(std::size_t c) const { return component_.calls()[call(c).index]; }

  // ---- sets

  /// Holds at least where exactly these calls are enabled.
  Term maybe(State q) {
    std::vector<Term> parts;
    for (std::size_t c = 0; c < calls_.size(); ++c)
      parts.push_back(interface_.states[q].allows[c] ? calls_[c].above
                                                     : arena_.negate(calls_[c].below));
    return arena_.conj(std::move(parts));
  }

  /// Holds only there.
  Term surely(State q) {
    std::vector<Term> parts;
    for (std::size_t c = 0; c < calls_.size(); ++c)
      parts.push_back(interface_.states[q].allows[c] ? calls_[c].below
                                                     : arena_.negate(calls_[c].above));
    return arena_.conj(std::move(parts));
  }

  /// The state may enable a set that is not among these. Where enabledness is not known, a variable
  /// stands for it.
  Term outside(const std::set<State>& listed) {
    std::vector<Term> parts, enabled;
    for (const Erased& c : calls_) {
      enabled.push_back(c.open ? c.open : c.above);
      if (!c.open) continue;
      parts.push_back(arena_.implies(c.open, c.above));
      parts.push_back(arena_.implies(c.below, c.open));
    }
    for (State q : listed) {
      std::vector<Term> differs;
      for (std::size_t c = 0; c < calls_.size(); ++c)
        differs.push_back(interface_.states[q].allows[c] ? arena_.negate(enabled[c]) : enabled[c]);
      parts.push_back(arena_.disj(std::move(differs)));
    }
    return arena_.conj(std::move(parts));
  }

  bool holds(Term term, const ConcreteState& state) const {
    const Module& module = component_.module();
    const auto value =
        evaluate(term, [&](Term variable) { return state.values[*module.state_index(variable)]; });
    return value && value->truth();
  }

  bool surely_in(State q, const ConcreteState& state) const {
    for (std::size_t c = 0; c < calls_.size(); ++c)
      if (interface_.states[q].allows[c] ? !holds(call(c).below, state)
                                         : holds(call(c).above, state))
        return false;
    return holds(texts_.invariant, state);
  }

  // ---- runs

  bool counts(const Exit& exit) const {
    if (exit.kind != Exit::Kind::Outcome) return false;
    return !texts_.mined || (!exit.rejecting && (exit.returned || exit.environment));
  }
  static bool returns(const Exit& exit) {
    return exit.kind == Exit::Kind::Outcome && !exit.rejecting && exit.returned;
  }

  Term ways(const BodyEncoding& encoding, const std::function<bool(const Exit&)>& wanted,
            Term predicate = nullptr) {
    std::vector<Term> all;
    for (const Exit& exit : encoding.exits) {
      if (!wanted(exit)) continue;
      Term way = exit.condition;
      if (predicate != nullptr) {
        Substitution by;
        for (std::size_t i = 0; i < exit.after.size(); ++i)
          by.emplace(encoder_.state()[i], exit.after[i]);
        way = arena_.conj(way, substitute(arena_, predicate, by));
      }
      all.push_back(way);
    }
    return arena_.disj(std::move(all));
  }

  /// The requires clause over state and the client's choices; true when clauses are only mined.
  Term clause(const Call& call, const BodyEncoding& encoding) {
    if (!texts_.given) return arena_.truth();
    Substitution by;
    for (const Choice& choice : encoding.choices)
      if (choice.chooser == Chooser::Client && choice.target != nullptr)
        by.emplace(erasure_.term(choice.target), choice.term);
    return substitute(arena_, erasure_.term(arena_.conj(component_.body(call).preconditions)), by);
  }

  /// Some run that counts satisfies `run`, which is over the upper side.
  Formula may_run(std::size_t c, const CallRuns& runs, Term run) {
    run = arena_.conj(clause(component_call(c), runs.upper()), run);
    if (!environment_matters(runs.upper())) return runs.any_run(run);
    // Arguments with which the environment can only fail are no good ones.
    const Term good = arena_.disj(ways(runs.upper(), returns), runs.beyond());
    return runs.client(all_of(arena_, {runs.may(run), runs.may(good)}));
  }

  /// Likewise from below, over the lower side.
  Formula must_run(std::size_t c, const CallRuns& runs, Term run) {
    run = arena_.conj(clause(component_call(c), runs.lower()), run);
    if (!environment_matters(runs.lower())) return runs.any_sure_run(run);
    return runs.client(all_of(arena_, {runs.must(run), runs.must(ways(runs.lower(), returns))}));
  }

  bool environment_matters(const BodyEncoding& encoding) const {
    return texts_.mined && std::ranges::any_of(encoding.exits, [&](const Exit& exit) {
             return counts(exit) && !returns(exit);
           });
  }

  // ---- the invariant and the clauses

  void check_invariant() {
    findings_.obligation();
    const Term wanted = erasure_.term(texts_.given_invariant);
    refute("invariant", arena_.conj(invariant_, arena_.negate(wanted)),
           {"it does not say what is given"}, {});
    if (about_.invariant_from == "given" || about_.invariant_from == "none")
      refute("invariant", arena_.conj(wanted, arena_.negate(invariant_)),
             {"it says more than what is given"}, {});
  }

  void check_clause(std::size_t c) {
    const CallRuns* runs = this->runs(call(c).index);
    if (runs == nullptr) return;
    const std::string name = "clause of " + call(c).name;
    const Term run =
        texts_.mined ? arena_.disj(ways(runs->upper(), returns), runs->beyond()) : arena_.truth();
    const Term given = clause(component_call(c), runs->upper());
    findings_.obligation();
    refute(name,
           both(arena_.conj(invariant_, arena_.negate(calls_[c].above)),
                runs->any_run(arena_.conj(given, run))),
           {"some arguments satisfy it where the call is said to be disabled", !runs->exact()}, {});
    if (is_false(calls_[c].below) || call(c).any_contents || call(c).loops_end) return;
    findings_.obligation();
    const bool hidden_counts = !texts_.mined || runs->exact();
    const Formula some =
        hidden_counts ? runs->any_run(arena_.conj(given, run))
                      : runs->any_sure_run(arena_.conj(clause(component_call(c), runs->lower()),
                                                       ways(runs->lower(), returns)));
    refute(name, both(arena_.conj(invariant_, calls_[c].below), negation(arena_, some)),
           {"no arguments satisfy it where the call is said to be enabled", !runs->exact()}, {});
    if (!texts_.mined) check_choices(c, name, given, runs->upper());
  }

  /// The written arguments satisfy the clause wherever it can be satisfied.
  void check_choices(std::size_t c, const std::string& name, Term given,
                     const BodyEncoding& encoding) {
    std::vector<Term> wrong{invariant_, calls_[c].below};
    for (const std::map<std::string, Term>& row : call(c).choices) {
      Substitution by;
      std::vector<Term> fits{given};
      for (const Choice& choice : encoding.choices) {
        if (choice.chooser != Chooser::Client || choice.target == nullptr) continue;
        const auto value = row.find(choice.name);
        if (value == row.end()) return; // not about parameters alone
        by.emplace(choice.term, erasure_.term(value->second));
        fits.push_back(type_fact(arena_, choice.type, choice.term));
      }
      wrong.push_back(arena_.negate(substitute(arena_, arena_.conj(std::move(fits)), by)));
    }
    if (wrong.size() == 2) return;
    findings_.obligation();
    refute(name, arena_.conj(std::move(wrong)),
           {"the arguments that are written down do not satisfy it"}, {});
  }

  // ---- starts

  std::string start_name(std::size_t i) const {
    return fmt::format("start {} --> S{}", interface_.initial[i].constructor,
                       interface_.initial[i].state);
  }

  static bool constructs(const Exit& exit) {
    return exit.kind == Exit::Kind::Outcome && exit.returned;
  }

  void check_start(std::size_t i) {
    const InitialState& start = interface_.initial[i];
    if (start.uncertain) return;
    findings_.obligation();
    const auto before = trouble();
    const auto constructor = written_.constructor(start.constructor);
    if (start.example)
      check_start_example(start, *constructor, start_name(i));
    else
      show_start(start, *constructor, start_name(i));
    if (trouble() != before)
      report_.doubtful_starts.push_back(i);
    else
      shown_[start.state] = true;
  }

  void check_start_example(const InitialState& start, std::size_t constructor,
                           const std::string& name) {
    const Call& built = component_.constructors()[constructor];
    if (start.example->constructor != built.name)
      return complain(name, {"its example is one of another constructor", ""});
    const auto run = written_.construct(*start.example, constructor);
    if (!run) return complain(name, run.error());
    if (run->how != RunEnd::Returned)
      return complain(name, {"the constructor does not return in its example", how_it_ended(*run)});
    if (!surely_in(start.state, run->after))
      return complain(name, {"its example ends in another state", ""});
    const CallRuns* runs = constructor_runs(constructor);
    if (runs != nullptr && mentions_hidden(start_in(start.state, built, *runs), runs->lower()))
      show_start(start, constructor, name);
  }

  Term start_in(State q, const Call& built, const CallRuns& runs) {
    return arena_.conj(clause(built, runs.lower()),
                       ways(runs.lower(), constructs, arena_.conj(surely(q), invariant_)));
  }

  void show_start(const InitialState& start, std::size_t constructor, const std::string& name) {
    const CallRuns* runs = constructor_runs(constructor);
    if (runs == nullptr) return;
    const Term run = start_in(start.state, component_.constructors()[constructor], *runs);
    witness(name, runs->must_run(run), {"it has no example, and no run shows it"}, {});
  }

  bool is_open(const std::string& constructor) const {
    const auto& open = interface_.epa->open_starts;
    return std::ranges::find(open, constructor) != open.end();
  }

  void check_other_starts(std::size_t constructor) {
    const CallRuns* runs = constructor_runs(constructor);
    if (runs == nullptr) return;
    const Call& built = component_.constructors()[constructor];
    std::set<State> listed;
    bool kept = false;
    for (const InitialState& start : interface_.initial)
      if (start.constructor == built.name) {
        listed.insert(start.state);
        kept = !start.may_break;
      }
    const Term given = clause(built, runs->upper());
    const auto wrong = [&](Term predicate) {
      return runs->may_run(arena_.conj(
          given, arena_.disj(ways(runs->upper(), constructs, predicate), runs->beyond())));
    };
    findings_.obligation();
    refute("other starts of " + built.name, wrong(arena_.conj(invariant_, outside(listed))),
           {"the constructor may end in a state that is not listed", !runs->exact(), runs, 0}, {});
    if (!kept) return;
    findings_.obligation();
    refute("invariant after " + built.name, wrong(arena_.negate(invariant_)),
           {"the constructor may end beyond it", !runs->exact(), runs, 0}, {});
  }

  // ---- transitions

  std::string arrow(const InterfaceTransition& t) const {
    return fmt::format("S{} --{}--> S{}", t.from, interface_.calls[t.call].name, t.to);
  }

  std::size_t trouble() const { return report_.rejected.size() + report_.unknown.size(); }

  void complain(const std::string& obligation, const RunComplaint& what) {
    findings_.reject({}, obligation, what.message, what.detail);
  }

  void check_transition(std::size_t i) {
    const InterfaceTransition& t = interface_.transitions[i];
    const std::string name = arrow(t);
    if (t.uncertain) {
      if (t.example || t.run)
        findings_.reject({}, name, "it has an example but is marked as uncertain");
      return;
    }
    findings_.obligation();
    const auto before = trouble();
    if (about_.reachable)
      check_run(t, name);
    else if (t.example)
      check_example(t, name);
    else
      show_transition(t, name);
    if (trouble() != before)
      report_.doubtful.push_back(i);
    else
      shown_[t.from] = shown_[t.to] = true;
  }

  void check_example(const InterfaceTransition& t, const std::string& name) {
    if (t.example->steps.size() != 1)
      return complain(name, {"an example should have one step", ""});
    const auto step = written_.step(component_call(t.call), t.before, t.example->steps[0]);
    if (!step) return complain(name, step.error());
    if (!surely_in(t.from, step->before))
      return complain(name, {fmt::format("the state before its example is not one of S{}", t.from),
                             to_string(component_.module(), step->before)});
    if (!surely_in(t.to, step->run.after))
      return complain(name, {fmt::format("the state after its example is not one of S{}", t.to),
                             to_string(component_.module(), step->run.after)});
    if (const auto legal = is_legal(t.call, step->before, t.example->steps[0].inputs, step->run);
        !legal)
      return complain(name, legal.error());
    // A value that is hidden may not have been picked in favour of the claim.
    const CallRuns* runs = this->runs(call(t.call).index);
    if (runs == nullptr) return;
    const Term run = step_to(t, *runs);
    if (!mentions_hidden(run, runs->lower())) return;
    Substitution here;
    for (std::size_t i = 0; i < step->before.values.size(); ++i)
      here.emplace(encoder_.state()[i],
                   to_term(arena_, step->before.values[i], encoder_.state()[i]->sort));
    witness(name, substitute(arena_, must_run(t.call, *runs, run), here),
            {"whether its example happens depends on something that is hidden"}, {});
  }

  static bool mentions_hidden(Term run, const BodyEncoding& encoding) {
    const auto mentioned = variables(run);
    return std::ranges::any_of(encoding.choices, [&](const Choice& choice) {
      return choice.chooser == Chooser::Unknown &&
             std::ranges::find(mentioned, choice.term) != mentioned.end();
    });
  }

  /// A step of the transition, over the lower side.
  Term step_to(const InterfaceTransition& t, const CallRuns& runs) {
    return ways(
        runs.lower(), [&](const Exit& exit) { return counts(exit); },
        arena_.conj(invariant_, surely(t.to)));
  }

  /// With successors of reachable states: a run from a constructor, the last step of which is the
  /// transition.
  void check_run(const InterfaceTransition& t, const std::string& name) {
    if (!t.run || t.run->steps.empty())
      return complain(name, {"it is certain, but no run is written down", ""});
    const auto constructor = written_.constructor(t.run->constructor);
    if (!constructor)
      return complain(name, {fmt::format("there is no constructor '{}'", t.run->constructor), ""});
    const auto start = written_.construct(*t.run, *constructor);
    if (!start) return complain(name, start.error());
    if (start->how != RunEnd::Returned)
      return complain(name, {"the constructor does not return in its run", how_it_ended(*start)});
    ConcreteState state = start->after, last;
    std::size_t called = 0;
    for (const ExampleStep& step : t.run->steps) {
      const auto found = interface_.find_call(step.call);
      if (!found) return complain(name, {fmt::format("there is no call '{}'", step.call), ""});
      called = *found;
      const auto run = written_.feed(component_call(called), state, step.inputs);
      if (!run) return complain(name, run.error());
      if (const auto ended = WrittenRuns::outcome(component_call(called), *run); !ended)
        return complain(name, ended.error());
      if (const auto same = written_.agrees(run->after, step.after); !same)
        return complain(name, same.error());
      if (const auto legal = is_legal(called, state, step.inputs, *run); !legal)
        return complain(name, legal.error());
      last = std::exchange(state, run->after);
    }
    if (called != t.call || !surely_in(t.from, last) || !surely_in(t.to, state))
      complain(name, {"the last step of its run is another one", ""});
  }

  /// A step that the action system takes: its clause holds, and with mined clauses it is served.
  RunResult<void> is_legal(std::size_t c, const ConcreteState& before,
                           const std::vector<std::string>& inputs, const ProcedureRun& run) {
    const auto no = [](std::string message) {
      return std::unexpected(RunComplaint{std::move(message), ""});
    };
    const Procedure& body = component_.body(component_call(c));
    const Module& module = component_.module();
    std::map<Term, Value, TermById> chosen;
    std::size_t next = 0;
    const auto choose = [&](Term target, const Type& type) {
      if (next == inputs.size()) return;
      if (const auto value = parse_value(inputs[next++], type.sort)) chosen[target] = *value;
    };
    for (const Variable& parameter : body.parameters) choose(parameter.term, parameter.type);
    for (const Statement& s : body.blocks[0].statements) {
      if (s.kind != StatementKind::Havoc || s.chooser != Chooser::Client) break;
      if (const auto i = module.state_index(s.target)) choose(s.target, module.state[*i].type);
    }
    if (texts_.given) {
      for (Term part : body.preconditions) {
        const auto value = evaluate(part, [&](Term variable) {
          const auto known = chosen.find(variable);
          return known != chosen.end() ? known->second
                                       : before.values[*module.state_index(variable)];
        });
        if (!value || !value->truth()) return no("its example does not satisfy the clause");
      }
    }
    if (!texts_.mined || run.how == RunEnd::Returned)
      return run.end->rejecting && texts_.mined ? RunResult<void>(no("its example is rejected"))
                                                : RunResult<void>();
    if (!run.end->environment || run.end->rejecting)
      return no("its example ends in an exception of the component's own");
    return can_be_served(c, before, chosen)
               ? RunResult<void>()
               : RunResult<void>(no("the environment can only fail with these arguments"));
  }

  bool can_be_served(std::size_t c, const ConcreteState& before,
                     const std::map<Term, Value, TermById>& chosen) {
    const CallRuns* runs = this->runs(call(c).index);
    if (runs == nullptr) return false;
    Substitution by;
    for (std::size_t i = 0; i < before.values.size(); ++i)
      by.emplace(encoder_.state()[i], to_term(arena_, before.values[i], encoder_.state()[i]->sort));
    for (const Choice& choice : runs->upper().choices)
      if (choice.chooser == Chooser::Client && choice.target != nullptr)
        if (const auto value = chosen.find(choice.target); value != chosen.end())
          by.emplace(choice.term, to_term(arena_, value->second, choice.term->sort));
    const Formula run = runs->any_run(ways(runs->upper(), returns));
    return prover_.satisfiable(substitute(arena_, run, by)).answer != Answer::Unsat;
  }

  /// Without an example: there is a step whatever is hidden.
  void show_transition(const InterfaceTransition& t, const std::string& name) {
    const CallRuns* runs = this->runs(call(t.call).index);
    if (runs == nullptr) return;
    const Term run = step_to(t, *runs);
    witness(name, both(arena_.conj(invariant_, surely(t.from)), must_run(t.call, *runs, run)),
            {"it has no example, and no step shows it"}, {});
  }

  // ---- states and absence

  void check_state(State q) {
    if (!shown_[q]) {
      const bool known = std::ranges::all_of(texts_.calls, &EpaCall::known);
      findings_.obligation();
      const std::string name = fmt::format("state S{}", q);
      if (known)
        witness(name, arena_.conj(invariant_, surely(q)),
                {"no state of the component enables exactly its calls"}, {});
      else if (prover_.satisfiable(arena_.conj(invariant_, maybe(q))).answer == Answer::Unsat)
        findings_.reject({}, name, "no state of the component enables exactly its calls");
    }
    if (interface_.states[q].label.empty()) return;
    const std::string name = fmt::format("label of S{}", q);
    const auto label = parse_expression(interface_.states[q].label, name, arena_,
                                        ModuleScope(component_.module()), arena_.bool_sort());
    if (!label) return findings_.reject({}, name, "it cannot be read", label.error().message);
    const Term shown = erasure_.term(*label), wanted = maybe(q);
    findings_.obligation();
    refute(name,
           arena_.conj(invariant_, arena_.disj(arena_.conj(shown, arena_.negate(wanted)),
                                               arena_.conj(wanted, arena_.negate(shown)))),
           {"it is not where the calls of the state are enabled and no others"}, {});
  }

  void check_other_successors(State q, std::size_t c) {
    const CallRuns* runs = this->runs(call(c).index);
    if (runs == nullptr) return;
    std::set<State> listed;
    std::optional<bool> breaks;
    for (const InterfaceTransition& t : interface_.outgoing(q, c)) {
      listed.insert(t.to);
      if (breaks.value_or(t.may_break) != t.may_break)
        findings_.reject({}, arrow(t), "transitions of one call disagree on the invariant");
      breaks = t.may_break;
    }
    const bool kept = !breaks.value_or(true);
    const auto counting = [&](const Exit& exit) { return counts(exit); };
    const Term here = arena_.conj(invariant_, maybe(q));
    const Term beyond_invariant = arena_.negate(invariant_);
    const Term elsewhere = arena_.conj(invariant_, outside(listed));
    const auto wrong = [&](Term predicate) {
      return both(
          here,
          may_run(c, *runs, arena_.disj(ways(runs->upper(), counting, predicate), runs->beyond())));
    };
    findings_.obligation();
    // Usually one query settles both.
    if (kept && prover_.satisfiable(wrong(arena_.disj(beyond_invariant, elsewhere))).answer ==
                    Answer::Unsat)
      return;
    const std::string& name = call(c).name;
    if (kept)
      refute(fmt::format("invariant after {} in S{}", name, q), wrong(beyond_invariant),
             {"the call may end beyond it", !runs->exact(), runs}, {});
    missing(
        fmt::format("other successors of {} in S{}", name, q), wrong(elsewhere),
        [&] {
          return both(arena_.conj(invariant_, surely(q)),
                      must_run(c, *runs, ways(runs->lower(), counting, elsewhere)));
        },
        *runs);
  }

  /// A step that is found from above counts against the result only if it is real: from below, or
  /// since the two are the same.
  void missing(const std::string& obligation, const Formula& from_above,
               const std::function<Formula()>& from_below, const CallRuns& runs) {
    Prover::Decision decision = prover_.satisfiable(from_above);
    if (decision.answer == Answer::Unsat) return;
    if (decision.answer == Answer::Unknown)
      return findings_.undecided({}, obligation, "the solver could not decide this",
                                 decision.reason);
    const std::string message = "there is a step to a state that is not listed";
    std::string end;
    if (!runs.exact()) {
      Prover::Decision real = prover_.satisfiable(from_below());
      if (real.answer != Answer::Sat)
        return findings_.undecided({}, obligation, message + loop_remark, describe(decision.model));
      decision = std::move(real);
    } else {
      end = describe_end(runs, decision.model, std::nullopt);
    }
    findings_.reject({}, obligation, message, describe(decision.model) + end);
  }

  const EpaAbout& about_;
  const EpaTexts& texts_;
  CheckReport& report_;
  WrittenRuns written_;
  std::vector<Erased> calls_;
  Term invariant_ = nullptr;
  std::vector<bool> shown_; // states that are known not to be empty
};

} // namespace

std::size_t check_epa(const Interface& interface, const Component& component, Budget* budget,
                      CheckReport& report, Findings& findings) {
  const auto texts = read_epa(interface, component, findings);
  if (!texts) return 0;
  return EpaObligations(interface, component, *texts, budget, report, findings).run();
}

} // namespace tacit
