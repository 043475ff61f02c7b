#include "synthesis/predicate/predicate_labels.h"

#include <algorithm>
#include <set>

#include "base/should.h"
#include "logic/solver/simplify.h"
#include "logic/term/print.h"

namespace tacit {

CubeLabels cube_labels(const Dfa& dfa, MayOracle& oracle) {
  CubeLabels labels;
  labels.cubes.resize(dfa.states());
  auto offer = [&](State q, Cube cube, CubeLabels::Origin origin) {
    if (!labels.origins.try_emplace({q, cube}, origin).second) return;
    labels.cubes[q].push_back(cube);
    labels.order.push_back({q, cube});
  };
  for (std::size_t k = 0; k < dfa.entries().size(); ++k)
    if (dfa.entries()[k] != no_state)
      for (Cube c : oracle.cubes(oracle.start(k))) offer(dfa.entries()[k], c, {no_state, 0, 0, k});
  for (std::size_t i = 0; i < labels.order.size() && !oracle.failure(); ++i) {
    const auto [q, cube] = labels.order[i];
    const std::size_t constructor = labels.origins.at({q, cube}).constructor;
    for (Letter l = 0; l < dfa.letters(); ++l)
      if (const State to = dfa.next(q, l); to != no_state)
        for (Cube next : oracle.post_cubes(cube, l)) offer(to, next, {q, cube, l, constructor});
  }
  return labels;
}

std::vector<std::size_t> CubeLabels::word(State state, Cube cube) const {
  std::vector<std::size_t> letters;
  for (auto at = std::pair(state, cube);;) {
    const Origin& origin = origins.at(at);
    if (origin.state == no_state) break;
    letters.push_back(origin.letter);
    at = {origin.state, origin.cube};
  }
  std::ranges::reverse(letters);
  return letters;
}

std::optional<Trace> unsafe_word(const Protocol& protocol, MayOracle& oracle,
                                 const CubeLabels& labels) {
  const Component& component = oracle.component();
  for (const auto& [q, cube] : labels.order)
    for (Letter l = 0; l < component.letters(); ++l) {
      const std::size_t c = component.letter(l).call;
      if (!protocol.allows(q, c)) continue;
      const bool errs = oracle.erring(cube)[c];
      if (!errs && (protocol.dfa.next(q, l) != no_state || oracle.post_cubes(cube, l).empty()))
        continue;
      Trace word{labels.origins.at({q, cube}).constructor, labels.word(q, cube), {}};
      if (errs)
        word.call = c;
      else
        word.letters.push_back(l);
      return word;
    }
  return std::nullopt;
}

namespace {

using Terms = std::set<Term, TermById>;

/// References that nothing ever changes: addresses of objects and functions.
Terms standing_references(const Module& module) {
  Terms standing;
  for (const StateVariable& v : module.state)
    if (v.type.sort->kind == SortKind::Ref && !v.initial) standing.insert(v.term);
  for (const Procedure& p : module.procedures) {
    for (const std::string& name : p.writes)
      if (const StateVariable* v = module.find_state(name)) standing.erase(v->term);
    for (const Block& b : p.blocks) {
      for (const Statement& s : b.statements)
        if (s.target) standing.erase(s.target);
      if (b.end.result) standing.erase(b.end.result);
    }
  }
  return standing;
}

/// A label as it is shown: what is said about such references alone holds everywhere.
Term without_standing(TermArena& arena, Term label, const Terms& standing) {
  if (label->op == Op::And || label->op == Op::Or) {
    std::vector<Term> parts;
    for (const Term part : label->args) parts.push_back(without_standing(arena, part, standing));
    return label->op == Op::And ? arena.conj(parts) : arena.disj(parts);
  }
  const auto used = variables(label);
  const bool all =
      !used.empty() && std::ranges::all_of(used, [&](Term v) { return standing.contains(v); });
  return all ? arena.truth() : label;
}

} // namespace

bool ProofLabeller::label(Interface& interface, const Protocol& protocol) {
  should(proof_.safe.size() == protocol.dfa.states(), "the proof should be of this automaton");
  Evidence& evidence = interface.evidence;
  const Terms standing = standing_references(component_.module());
  for (State q = 0; q < interface.states.size(); ++q) {
    interface.states[q].label =
        to_string(without_standing(component_.arena(), proof_.safe[q], standing));
    evidence.safe.push_back(to_string(proof_.safe[q]));
  }
  for (Term t : proof_.permissive) evidence.permissive.push_back(to_string(t));
  for (const auto& [key, invariant] : proof_.invariants)
    evidence.invariants[key] = to_string(invariant);
  for (const auto& [call, tried] : proof_.arguments) {
    auto& written = evidence.arguments[call];
    for (const auto& arguments : tried)
      for (auto& one = written.emplace_back(); const auto& [name, term] : arguments)
        one[name] = to_string(term);
  }
  evidence.unwind = proof_.unwind;
  evidence.followed = proof_.followed;
  write_nodes(interface);
  return true;
}

void ProofLabeller::write_nodes(Interface& interface) const {
  Evidence& evidence = interface.evidence;
  // The component's letters that a transition of the interface stands for, and the way back.
  std::map<std::pair<State, std::size_t>, std::size_t> transition;
  std::vector<bool> merged(interface.transitions.size(), false);
  auto outcome_name = [&](std::size_t letter) -> const std::string& {
    const CallOutcome at = component_.letter(letter);
    return component_.calls()[at.call].outcomes[at.outcome];
  };
  for (std::size_t i = 0; i < interface.transitions.size(); ++i) {
    const InterfaceTransition& t = interface.transitions[i];
    const std::string& outcome = interface.calls[t.call].outcomes[t.outcome];
    const Call& call = component_.calls()[t.call];
    merged[i] = outcome == "any" && call.outcomes.size() > 1;
    for (std::size_t o = 0; o < call.outcomes.size(); ++o)
      if (outcome == "any" || outcome == call.outcomes[o])
        transition[{t.from, component_.letter_of(t.call, o)}] = i;
  }
  for (const MustNodes::Node& node : proof_.nodes) {
    MustNode& written = evidence.must.emplace_back();
    written.state = node.state;
    written.predicate = to_string(node.predicate);
    for (const MustNodes::Source& source : node.sources)
      written.incoming.push_back(
          {transition.at({source.from, source.letter}), source.node, outcome_name(source.letter)});
  }
  for (std::size_t i = 0; i < interface.forbidden.size(); ++i)
    if (const Refusal& refusal = interface.forbidden[i]; refusal.state)
      if (auto node = proof_.refusals.find({*refusal.state, refusal.call});
          node != proof_.refusals.end())
        evidence.refusal_must[i] = node->second;
  for (const auto& [place, node] : proof_.outcomes) {
    const std::size_t i = transition.at(place);
    if (merged[i])
      evidence.outcome_must[{i, outcome_name(place.second)}] = node;
    else
      evidence.transition_must[i] = node;
  }
}

void ProofLabeller::label_pruned(Interface& interface, const Protocol& protocol) {
  const CubeLabels labels = cube_labels(protocol.dfa, oracle_);
  for (State q = 0; q < interface.states.size(); ++q)
    interface.states[q].label = to_string(
        simplify(component_.arena(), solver_, oracle_.facts(), oracle_.formula(labels.cubes[q])));
}

void withdraw_unlabelled(Synthesis& result) {
  const Interface& interface = result.interface;
  // A pruned interface has its evidence in the one before.
  const bool omitted = interface.evidence.omitted ||
                       (interface.before_pruning && interface.before_pruning->evidence.omitted);
  if (!omitted) return;
  Verdict& claims = result.interface.verdict;
  claims.safe = claims.permissive = claims.full = Claim::Unknown;
  claims.details["safe"] = claims.details["permissive"] = claims.details["full"] =
      "the labels that would prove it were not found";
  result.settled = false;
}

void withdraw_unproved(Synthesis& result) {
  Interface& interface = result.interface;
  withdraw_unlabelled(result);
  if (interface.verdict.permissive != Claim::Proved) return;
  // Of a call that is split by conditions, one run is enough: synthesis/alphabet looks at that.
  if (interface.options.arguments == Arguments::Guarded) return;
  for (const Refusal& refusal : interface.forbidden)
    if (refusal.error == not_shown_safe) {
      const std::string open =
          "no run was found that ends in the error of '" + interface.refused_name(refusal) + "'";
      interface.verdict.permissive = interface.verdict.full = Claim::Unknown;
      interface.verdict.details["permissive"] = interface.verdict.details["full"] = open;
      result.settled = false;
      return;
    }
}

} // namespace tacit
