#include "check/readings.h"

#include <algorithm>

namespace tacit {

namespace {

std::vector<Term> choices(const BodyEncoding& encoding, Chooser chooser) {
  std::vector<Term> found;
  for (const Choice& choice : encoding.choices)
    if (choice.chooser == chooser) found.push_back(choice.term);
  return found;
}

} // namespace

CallRuns::CallRuns(const Component& component, Erasure& erasure, BodyEncoding upper,
                   BodyEncoding lower, const Substitution& before)
    : arena_(erasure.arena()), component_(component) {
  for (const StateVariable& variable : component.module().state)
    state_.push_back(erasure.term(variable.term));
  upper_ = side(std::move(upper), before);
  lower_ = side(std::move(lower), before);
}

CallRuns::Side CallRuns::side(BodyEncoding encoding, const Substitution& before) const {
  for (Choice& choice : encoding.choices)
    if (choice.below != nullptr) choice.below = substitute(arena_, choice.below, before);
  std::vector<Term> errors, beyond, served, rejected, plain_errors, plain_rejected;
  TermSet chosen;
  for (const Choice& choice : encoding.choices)
    if (choice.chooser != Chooser::Client) chosen.insert(choice.term);
  const auto plain = [&](Term condition) {
    return std::ranges::none_of(variables(condition), [&](Term v) { return chosen.contains(v); });
  };
  for (LoopObligation& loop : encoding.invariants) {
    loop.condition = substitute(arena_, loop.condition, before);
    loop.invariant = substitute(arena_, loop.invariant, before);
  }
  encoding.blocked = substitute(arena_, encoding.blocked, before);
  const Term stopped = whatever_happens(encoding);
  for (Exit& exit : encoding.exits) {
    if (!before.empty()) {
      exit.condition = substitute(arena_, exit.condition, before);
      for (Term& value : exit.after) value = substitute(arena_, value, before);
      if (exit.value != nullptr) exit.value = substitute(arena_, exit.value, before);
    }
    switch (exit.kind) {
    case Exit::Kind::Error:
      errors.push_back(exit.condition);
      if (plain(exit.condition)) plain_errors.push_back(exit.condition);
      break;
    case Exit::Kind::Beyond: beyond.push_back(exit.condition); break;
    case Exit::Kind::Outcome:
      if (!exit.rejecting) {
        served.push_back(exit.condition);
        break;
      }
      rejected.push_back(exit.condition);
      if (plain(exit.condition)) plain_rejected.push_back(exit.condition);
      break;
    }
  }
  return {std::move(encoding),
          arena_.disj(std::move(errors)),
          arena_.disj(std::move(beyond)),
          arena_.disj(std::move(served)),
          arena_.disj(std::move(rejected)),
          arena_.disj(std::move(plain_errors)),
          arena_.disj(std::move(plain_rejected)),
          stopped};
}

/// The ways to be blocked that the environment has no part in.
Term CallRuns::whatever_happens(const BodyEncoding& encoding) const {
  const auto chosen = choices(encoding, Chooser::Environment);
  const TermSet environment(chosen.begin(), chosen.end());
  const Term blocked = encoding.blocked;
  std::vector<Term> ways;
  for (Term way : blocked->op == Op::Or ? blocked->args : std::vector<Term>{blocked})
    if (std::ranges::none_of(variables(way), [&](Term v) { return environment.contains(v); }))
      ways.push_back(way);
  return arena_.disj(std::move(ways));
}

void CallRuns::read_by(std::vector<Substitution> tried, Term taken) {
  std::vector<Term> facts{taken};
  for (const Choice& choice : upper_.encoding.choices)
    if (choice.chooser == Chooser::Client && choice.term != upper_.encoding.fresh)
      facts.push_back(type_fact(arena_, choice.type, choice.term));
  taken_ = arena_.conj(std::move(facts));
  tried_ = std::move(tried);
}

/// With these arguments the call may err or be rejected, or it does not take them, or it is not
/// known to have a run that ends. That it ends may be an assumption of the component; then what has
/// no run is what may be blocked.
Formula CallRuns::spoilt(const Substitution& arguments) const {
  const Term bad = arena_.disj({upper_.errors, upper_.beyond, upper_.rejected});
  std::vector<Formula> unserved{negation(arena_, must(lower_.served))};
  if (!exact() &&
      std::ranges::find(component_.assumptions(), good_calls_end) != component_.assumptions().end())
    unserved.push_back(may(upper_.encoding.blocked));
  return any_of(arena_, {substitute(arena_, may(bad), arguments),
                         substitute(arena_, arena_.negate(taken_), arguments),
                         substitute(arena_, all_of(arena_, std::move(unserved)), arguments)});
}

Term CallRuns::ends(const Side& side, std::size_t outcome, Term predicate) const {
  return ends(side, outcome, [&](const Exit& exit) {
    return predicate == nullptr ? arena_.truth() : after(exit, predicate);
  });
}

Term CallRuns::ends(const Side& side, std::size_t outcome, const AtExit& condition) const {
  std::vector<Term> ways;
  for (const Exit& exit : side.encoding.exits)
    if (exit.kind == Exit::Kind::Outcome && exit.outcome == outcome)
      ways.push_back(arena_.conj(exit.condition, condition(exit)));
  return arena_.disj(std::move(ways));
}

Term CallRuns::after(const Exit& exit, Term term) const {
  Substitution by;
  for (std::size_t i = 0; i < state_.size(); ++i) by.emplace(state_[i], exit.after[i]);
  return substitute(arena_, term, by);
}

std::vector<Term> CallRuns::arguments() const {
  std::vector<Term> found = choices(upper_.encoding, Chooser::Client);
  std::erase(found, upper_.encoding.fresh);
  return found;
}

Formula CallRuns::may_by_arguments(Term run) const {
  return exists(fresh(upper_.encoding), may(run));
}

Formula CallRuns::must_by_arguments(Term run) const {
  return exists(fresh(lower_.encoding), must(run));
}

Formula CallRuns::good_by_arguments() const {
  return exists(fresh(upper_.encoding), surely_good());
}

std::vector<Term> CallRuns::fresh(const BodyEncoding& encoding) {
  return encoding.fresh == nullptr ? std::vector<Term>{} : std::vector{encoding.fresh};
}

/// What is given about the choices that `run` mentions, hidden ones or the others. If it mentions
/// fresh addresses, then also that no reference there is has reached them.
Term CallRuns::facts(const BodyEncoding& encoding, Term run, bool hidden) const {
  const auto mentioned = variables(run);
  const TermSet in_run(mentioned.begin(), mentioned.end());
  const bool fresh = encoding.fresh != nullptr && in_run.contains(encoding.fresh);
  std::vector<Term> facts;
  std::unordered_map<Term, const Type*> types;
  std::unordered_map<Term, Term> limits;
  for (const Choice& choice : encoding.choices) {
    types.emplace(choice.term, &choice.type);
    if (choice.below != nullptr) limits.emplace(choice.term, choice.below);
    if (!in_run.contains(choice.term) || (choice.chooser == Chooser::Unknown) != hidden) continue;
    facts.push_back(type_fact(arena_, choice.type, choice.term));
    if (fresh && choice.type.sort->kind == SortKind::Ref)
      facts.push_back(arena_.lt(choice.term, choice.below));
  }
  if (!fresh) return arena_.conj(std::move(facts));

  const auto& declared = component_.module().state;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    types.emplace(state_[i], &declared[i].type);
    if (!hidden && declared[i].type.sort->kind == SortKind::Ref && in_run.contains(state_[i]))
      facts.push_back(arena_.lt(state_[i], encoding.fresh));
  }
  const TypeOf type_of = [&](Term variable) {
    const auto known = types.find(variable);
    return known == types.end() ? nullptr : known->second;
  };
  for (const ElementRead& element : element_reads(arena_, run, type_of)) {
    if (element.type->sort->kind != SortKind::Ref) continue;
    const auto choice = std::ranges::find(encoding.choices, element.variable, &Choice::term);
    const bool of_hidden = choice != encoding.choices.end() && choice->chooser == Chooser::Unknown;
    if (of_hidden != hidden) continue;
    const auto limit = limits.find(element.variable);
    facts.push_back(
        arena_.lt(element.read, limit != limits.end() ? limit->second : encoding.fresh));
  }
  return arena_.conj(std::move(facts));
}

/// Both sides have the same choices of the client.
Formula CallRuns::client(Formula inner) const {
  return exists(choices(upper_.encoding, Chooser::Client), std::move(inner));
}

Formula CallRuns::may(Term run) const {
  const BodyEncoding& encoding = upper_.encoding;
  auto bound = choices(encoding, Chooser::Environment);
  std::ranges::copy(choices(encoding, Chooser::Unknown), std::back_inserter(bound));
  return exists(std::move(bound),
                arena_.conj({facts(encoding, run, false), facts(encoding, run, true), run}));
}

/// One behaviour of the environment for all hidden choices: stronger than what is claimed where the
/// environment could react to them, never weaker.
Formula CallRuns::must(Term run) const {
  const BodyEncoding& encoding = lower_.encoding;
  const Term body =
      arena_.implies(facts(encoding, run, true), arena_.conj(facts(encoding, run, false), run));
  return exists(choices(encoding, Chooser::Environment),
                for_all(choices(encoding, Chooser::Unknown), body));
}

// Runs beyond a loop bound may do anything.

Formula CallRuns::maybe_good() const {
  if (by_examples())
    return arena_.conj(
        {taken_, arena_.negate(lower_.plain_errors), arena_.negate(lower_.plain_rejected)});
  return all_of(arena_, {negation(arena_, must(lower_.errors)),
                         may(arena_.disj(upper_.served, upper_.beyond))});
}

Formula CallRuns::surely_good() const {
  return all_of(arena_, {negation(arena_, may(arena_.disj(upper_.errors, upper_.beyond))),
                         must(lower_.served)});
}

Formula CallRuns::may_err() const {
  const Formula some = client(may(upper_.errors));
  if (component_.options().arguments == Arguments::Demonic) return some;
  if (by_examples()) {
    std::vector<Formula> parts{some};
    for (const Substitution& arguments : tried_) parts.push_back(spoilt(arguments));
    return all_of(arena_, std::move(parts));
  }
  return all_of(arena_, {some, negation(arena_, client(surely_good()))});
}

Formula CallRuns::must_err() const {
  const Formula some = client(by_examples() ? Formula(arena_.conj(taken_, lower_.plain_errors))
                                            : must(lower_.errors));
  if (component_.options().arguments == Arguments::Demonic) return some;
  return all_of(arena_, {some, negation(arena_, client(maybe_good()))});
}

Formula CallRuns::may_run(Term run) const {
  if (component_.options().arguments == Arguments::Demonic) return any_run(run);
  return client(all_of(arena_, {may(run), maybe_good()}));
}

Formula CallRuns::must_run(Term run) const {
  if (component_.options().arguments == Arguments::Demonic) return client(must(run));
  // Which arguments are good is not known from below.
  if (by_examples()) return arena_.falsehood();
  return client(all_of(arena_, {must(run), surely_good()}));
}

Formula CallRuns::any_run(Term run) const { return client(may(run)); }

} // namespace tacit
