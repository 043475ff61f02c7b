#include "check/proof_setting.h"

#include <algorithm>

#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/scope.h"

namespace tacit {

using Answer = Prover::Answer;

ProofSetting::ProofSetting(const Interface& interface, const Component& component, Budget* budget,
                           Findings& findings, ClaimSet claims)
    : interface_(interface), component_(component), findings_(findings), arena_(component.arena()),
      erasure_(component.arena()), prover_(erasure_, solver_, budget),
      encoder_(component, erasure_, interface.evidence.unwind, invariants_,
               &interface.evidence.followed),
      claims_(claims), runs_(component.calls().size()),
      constructor_runs_(component.constructors().size()) {
  const auto& state = component.module().state;
  for (std::size_t i = 0; i < state.size(); ++i) {
    prover_.declare(encoder_.state()[i], state[i].type);
    if (state[i].initial != nullptr)
      initial_.emplace(encoder_.state()[i], erasure_.term(state[i].initial));
  }
}

bool ProofSetting::read_invariants() {
  auto read = [&](const Call& call) {
    const Procedure& body = component_.body(call);
    const ModuleScope scope(component_.module(), &body);
    for (BlockId head = 0; head < body.blocks.size(); ++head) {
      const std::string key = fmt::format("{}/{}", call.name, head);
      const auto text = interface_.evidence.invariants.find(key);
      if (text == interface_.evidence.invariants.end()) continue;
      const std::string what = "invariant of the loop " + key;
      auto term = parse_expression(text->second, what, arena_, scope, arena_.bool_sort());
      if (!term) {
        findings_.reject(ClaimSet::all(), what, "it cannot be read", term.error().message);
        return false;
      }
      invariants_.emplace(key, *term);
    }
    return true;
  };
  return std::ranges::all_of(component_.calls(), read) &&
         std::ranges::all_of(component_.constructors(), read);
}

// Encodings

CallRuns* ProofSetting::encoded(const Call& call, Lazy& place, const Substitution& before) {
  if (place.failed) return nullptr;
  if (place.runs) return &*place.runs;
  auto upper = encoder_.encode(call, EncodingSide::Upper),
       lower = encoder_.encode(call, EncodingSide::Lower);
  if (!upper || !lower) {
    const Diagnostic& why = upper ? lower.error() : upper.error();
    findings_.undecided(claims_, fmt::format("body of {}", call.name), why.message,
                        to_string(why.where));
    place.failed = true;
    return nullptr;
  }
  for (const auto* encoding : {&*upper, &*lower}) {
    for (const Choice& choice : encoding->choices) {
      prover_.declare(choice.term, choice.type);
      choice_names_.emplace(choice.term, std::pair(choice.name, choice.type.sort));
    }
  }
  place.runs.emplace(component_, erasure_, std::move(*upper), std::move(*lower), before);
  if (!read_arguments(*place.runs, call)) {
    place.failed = true;
    place.runs.reset();
    return nullptr;
  }
  check_invariants(*place.runs, call);
  return &*place.runs;
}

bool ProofSetting::read_arguments(CallRuns& runs, const Call& call) {
  const auto listed = interface_.evidence.arguments.find(call.name);
  if (listed == interface_.evidence.arguments.end() ||
      component_.options().arguments != Arguments::Angelic)
    return true;
  const Procedure& body = component_.body(call);
  std::map<std::string, Term> choices;
  for (const Choice& choice : runs.upper().choices)
    if (choice.chooser == Chooser::Client && choice.term != runs.upper().fresh)
      choices.emplace(choice.name, choice.term);
  const ModuleScope scope(component_.module(), nullptr);
  std::vector<Substitution> tried;
  for (const auto& arguments : listed->second) {
    Substitution& by = tried.emplace_back();
    for (const auto& [name, choice] : choices) {
      const std::string what = fmt::format("argument '{}' of {}", name, call.name);
      const auto text = arguments.find(name);
      if (text == arguments.end()) {
        findings_.reject(ClaimSet::all(), what, "it is missing");
        return false;
      }
      const Variable* parameter = body.find_local(name);
      const Sort sort = parameter != nullptr ? parameter->term->sort
                                             : component_.module().find_state(name)->term->sort;
      auto term = parse_expression(text->second, what, arena_, scope, sort);
      if (!term) {
        findings_.reject(ClaimSet::all(), what, "it cannot be read", term.error().message);
        return false;
      }
      by.emplace(choice, erasure_.term(*term));
    }
  }
  // What the call demands from the start, over the client's choices. What it takes for granted of
  // the state alone is no demand.
  Substitution chosen;
  for (const auto& [name, choice] : choices) {
    const Variable* parameter = body.find_local(name);
    chosen.emplace(erasure_.term(parameter != nullptr ? parameter->term
                                                      : component_.module().find_state(name)->term),
                   choice);
  }
  std::vector<Term> taken;
  for (const Statement& s : body.blocks[0].statements) {
    if (s.kind == StatementKind::Havoc && s.chooser == Chooser::Client) continue;
    if (s.kind != StatementKind::Assume) break;
    const Term demand = erasure_.term(s.value);
    if (std::ranges::any_of(variables(demand), [&](Term v) { return chosen.contains(v); }))
      taken.push_back(substitute(arena_, demand, chosen));
  }
  runs.read_by(std::move(tried), arena_.conj(std::move(taken)));
  return true;
}

void ProofSetting::check_invariants(const CallRuns& runs, const Call& call) {
  for (const LoopObligation& loop : runs.upper().invariants) {
    findings_.obligation();
    refute(fmt::format("invariant of the loop {}/{}", call.name, loop.head),
           runs.any_run(arena_.conj(loop.condition, arena_.negate(loop.invariant))),
           {loop.again ? "a round of the loop does not keep it"
                       : "it does not hold when the loop is entered"},
           ClaimSet::all());
  }
}

CallRuns* ProofSetting::runs(std::size_t call) {
  return encoded(component_.calls()[call], runs_[call], {});
}

CallRuns* ProofSetting::constructor_runs(std::size_t constructor) {
  return encoded(component_.constructors()[constructor], constructor_runs_[constructor], initial_);
}

// Discharging

std::string ProofSetting::describe(const TermModel& model) const {
  std::vector<std::string> before, choices;
  const auto& state = component_.module().state;
  for (std::size_t i = 0; i < state.size(); ++i)
    if (const auto value = model.find(encoder_.state()[i]); value != model.end())
      before.push_back(
          fmt::format("{} == {}", state[i].name(), to_string(value->second, state[i].type.sort)));
  for (const auto& [variable, value] : model)
    if (const auto named = choice_names_.find(variable); named != choice_names_.end())
      choices.push_back(
          fmt::format("{} == {}", named->second.first, to_string(value, named->second.second)));
  std::string text =
      before.empty() ? "from any state" : fmt::format("from {}", fmt::join(before, ", "));
  if (!choices.empty()) text += fmt::format(" with {}", fmt::join(choices, ", "));
  return text;
}

std::string ProofSetting::describe_end(const CallRuns& runs, const TermModel& model,
                                       std::optional<std::size_t> outcome) const {
  Substitution by;
  for (const auto& [variable, value] : model)
    by.emplace(variable, to_term(arena_, value, variable->sort));
  const auto& state = component_.module().state;
  for (const Exit& exit : runs.upper().exits) {
    if (exit.kind != Exit::Kind::Outcome || (outcome && exit.outcome != *outcome)) continue;
    if (!is_true(substitute(arena_, exit.condition, by))) continue;
    std::vector<std::string> after;
    for (std::size_t i = 0; i < state.size(); ++i) {
      const Term value = substitute(arena_, exit.after[i], by);
      if (!is_constant(value)) continue;
      after.push_back(fmt::format("{} == {}", state[i].name(),
                                  to_string(Value(value->number), state[i].type.sort)));
    }
    if (!after.empty()) return fmt::format(" to {}", fmt::join(after, ", "));
  }
  return "";
}

bool ProofSetting::refute(const std::string& obligation, const Formula& formula,
                          const Failure& failure, ClaimSet touched) {
  const Prover::Decision decision = prover_.satisfiable(formula);
  if (decision.answer == Answer::Unsat) return true;
  if (decision.answer == Answer::Unknown) {
    findings_.undecided(touched, obligation, "the solver could not decide this", decision.reason);
    return false;
  }
  std::string detail = describe(decision.model);
  if (failure.runs != nullptr && failure.outcome)
    detail += describe_end(*failure.runs, decision.model, failure.outcome);
  if (failure.unknown)
    findings_.undecided(touched, obligation, failure.message + loop_remark, detail);
  else
    findings_.reject(touched, obligation, failure.message, detail);
  return false;
}

bool ProofSetting::witness(const std::string& obligation, const Formula& formula,
                           const Failure& failure, ClaimSet touched) {
  const Prover::Decision decision = prover_.satisfiable(formula);
  if (decision.answer == Answer::Sat) return true;
  if (decision.answer == Answer::Unknown || failure.unknown)
    findings_.undecided(touched, obligation,
                        decision.answer == Answer::Unknown ? "the solver could not decide this"
                                                           : failure.message + loop_remark,
                        decision.reason);
  else
    findings_.reject(touched, obligation, failure.message);
  return false;
}

} // namespace tacit
