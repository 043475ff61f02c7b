#include "finite/bdd/call_model.h"

#include <algorithm>

namespace tacit {

using Codes = Encoding::Codes;

namespace {

/// Every written scalar is afterwards what the exit says; most significant variables last, as
/// diagrams grow upwards.
Bdd equations(const Encoding& encoding, const BodyExit& exit) {
  std::vector<std::pair<std::size_t, const Bdd*>> after;
  for (const WrittenSlot& w : exit.written)
    for (std::size_t i = 0; i < w.after.size(); ++i)
      after.emplace_back(encoding.next(w.slot)[i], &w.after[i]);
  std::ranges::sort(after, std::greater<>(), [](const auto& pair) { return pair.first; });
  Bdd all(true);
  for (const auto& [variable, value] : after) all &= same(Bdd::variable(variable), *value);
  return all;
}

} // namespace

/// Demonic: it errs if some argument does. Angelic: if some argument errs and none is good, where a
/// good one cannot err and has a run that is not a rejection; only good arguments count for what
/// happens.
CallModel::CallModel(Encoding& encoding, const Call& call, Arguments arguments)
    : body_(SymbolicBody::execute(encoding, call.procedure)), moves_(call.outcomes.size()) {
  const Bdd client = variable_set(body_.client_bits()),
            environment = variable_set(body_.environment_bits());
  const Bdd choices = client & environment;
  Bdd erring, accepted;
  for (const BodyExit& exit : body_.exits()) {
    if (exit.end->kind == TerminatorKind::Error)
      erring |= exit.path;
    else if (!exit.end->rejecting)
      accepted |= exit.path;
  }
  erring = exists(erring, environment); // over states and arguments
  errs_ = exists(erring, client);
  Bdd good(true);
  if (arguments == Arguments::Angelic) {
    good = without(exists(accepted, environment), erring);
    errs_ = without(errs_, exists(good, client));
  }
  for (const BodyFailure& failure : body_.failures()) fails_ |= exists(failure.path, choices);

  const Bdd counted = without(good, errs_);
  for (const BodyExit& exit : body_.exits()) {
    if (exit.end->kind == TerminatorKind::Error) continue;
    Bdd runs = exit.path & counted;
    if (runs.is_false()) continue;
    Bits current, next;
    for (const WrittenSlot& w : exit.written) {
      current.insert(current.end(), encoding.current(w.slot).begin(),
                     encoding.current(w.slot).end());
      next.insert(next.end(), encoding.next(w.slot).begin(), encoding.next(w.slot).end());
    }
    Bdd relation = and_exists(equations(encoding, exit), runs, choices);
    Bdd origins = exists(runs, choices);
    moves_[static_cast<std::size_t>(exit.end->outcome)].push_back(
        {&exit, std::move(runs), std::move(relation), std::move(origins), variable_set(current),
         variable_set(next), Renaming(current, next)});
  }
}

Bdd CallModel::post(const Bdd& states, std::size_t outcome, const Renaming& to_current) const {
  Bdd all;
  for (const Move& m : moves_[outcome])
    all |= to_current(and_exists(states, m.relation, m.written_current));
  return all;
}

Bdd CallModel::pre(std::size_t outcome, const Bdd& into) const {
  Bdd all;
  for (const Move& m : moves_[outcome])
    all |= and_exists(m.to_next(into), m.relation, m.written_next);
  return all;
}

Bdd CallModel::origins(std::size_t outcome) const {
  Bdd all;
  for (const Move& m : moves_[outcome]) all |= m.origins;
  return all;
}

/// `choices` is what the state leaves of an exit's path.
CallModel::Run CallModel::run_of(const Encoding& encoding, const Codes& from, const BodyExit& exit,
                                 const Bdd& choices) const {
  std::vector<bool> assignment = least_assignment(choices, body_.choice_order());
  encoding.assign(from, assignment);
  Run run{body_.inputs(assignment), from, exit.end};
  for (const WrittenSlot& w : exit.written) {
    run.after[w.slot] = 0;
    for (std::size_t i = w.after.size(); i-- > 0;)
      run.after[w.slot] = run.after[w.slot] * 2 + (holds(w.after[i], assignment) ? 1 : 0);
  }
  return run;
}

std::optional<CallModel::Run> CallModel::run(const Encoding& encoding, const Codes& from,
                                             std::size_t outcome, const Codes* to) const {
  const Bdd state = encoding.state(from);
  for (const Move& m : moves_[outcome]) {
    Bdd choices = cofactor(m.runs, state);
    if (to != nullptr) {
      std::vector<bool> written(from.size(), false);
      for (const WrittenSlot& w : m.exit->written) {
        written[w.slot] = true;
        for (std::size_t i = 0; i < w.after.size() && !choices.is_false(); ++i) {
          const Bdd after = cofactor(w.after[i], state);
          choices = (((*to)[w.slot] >> i) & 1) != 0 ? choices & after : without(choices, after);
        }
      }
      for (std::size_t s = 0; s < from.size(); ++s)
        if (!written[s] && from[s] != (*to)[s]) choices = Bdd(false);
    }
    if (!choices.is_false()) return run_of(encoding, from, *m.exit, choices);
  }
  return std::nullopt;
}

std::optional<CallModel::Run> CallModel::erring_run(const Encoding& encoding,
                                                    const Codes& from) const {
  const Bdd state = encoding.state(from);
  for (const BodyExit& exit : body_.exits()) {
    if (exit.end->kind != TerminatorKind::Error) continue;
    const Bdd choices = cofactor(exit.path, state);
    if (!choices.is_false()) return run_of(encoding, from, exit, choices);
  }
  return std::nullopt;
}

} // namespace tacit
