#include "synthesis/predicate/interface_proof.h"

#include <algorithm>

#include "base/should.h"
#include "logic/term/print.h"

namespace tacit {
namespace {

constexpr std::string_view hidden =
    "but only by values that are hidden behind an approximation or a loop without a bound";

RefusedPair pair_of(const Protocol& protocol, const Trace& word) {
  State at = protocol.dfa.entries()[word.constructor];
  for (std::size_t l : word.letters)
    if (at != no_state) at = protocol.dfa.next(at, static_cast<Letter>(l));
  should(at != no_state, "the interface should follow the word");
  return {at, *word.call};
}

} // namespace

InterfaceProof::InterfaceProof(PredicateSetting& setting, Protocol protocol,
                               std::shared_ptr<MayMust> safe)
    : setting_(setting), component_(setting.component()), protocol_(std::move(protocol)),
      safe_(std::move(safe)) {}

InterfaceProof::InterfaceProof(PredicateSetting& setting, Protocol protocol,
                               std::vector<Term> labels)
    : setting_(setting), component_(setting.component()), protocol_(std::move(protocol)) {
  should(labels.size() == protocol_.dfa.states(), "each state should have a label");
  proof_.safe = std::move(labels);
}

std::unique_ptr<InterfaceProof> InterfaceProof::of_nothing(PredicateSetting& setting,
                                                           Solver& solver) {
  const Component& component = setting.component();
  MayOracle oracle(setting.formulas(), {}, solver);
  Protocol nothing(component);
  for (std::size_t k = 0; k < component.constructors().size(); ++k) {
    const bool usable = !oracle.constructor_errs(k);
    if (usable && nothing.dfa.states() == 0)
      nothing.add_state(std::vector<bool>(component.calls().size(), false));
    nothing.dfa.add_entry(usable ? 0 : no_state);
  }
  std::vector<Term> labels(nothing.dfa.states(), setting.arena().truth());
  return std::make_unique<InterfaceProof>(setting, std::move(nothing), std::move(labels));
}

const std::vector<Term>& InterfaceProof::safe_labels() {
  if (proof_.safe.empty() && safe_)
    for (const auto& cubes : cube_labels(protocol_.dfa, safe_->may()).cubes)
      proof_.safe.push_back(setting_.shorter(safe_->may().formula(cubes), setting_.solver()));
  return proof_.safe;
}

MustNodes& InterfaceProof::nodes() {
  if (!nodes_)
    nodes_ = std::make_unique<MustNodes>(setting_.formulas(), protocol_.dfa, safe_labels(),
                                         setting_.solver(), setting_.budget());
  return *nodes_;
}

Standing InterfaceProof::show_safe() {
  MayOracle& may = safe_->may();
  const auto word = unsafe_word(protocol_, may, cube_labels(protocol_.dfa, may));
  if (const auto failure = may.failure()) return Standing::open_for(failure->message);
  if (!word) return Standing::as_shown();
  return Standing::open_for(setting_.text(*word) + " was not shown to be safe", word);
}

// ---- permissive

std::vector<bool> InterfaceProof::refused(State state) const {
  std::vector<bool> made = protocol_.allowed(state);
  made.flip();
  return made;
}

std::vector<Trace> InterfaceProof::suspicions(const std::shared_ptr<MayMust>& abstraction) {
  errs_ = abstraction;
  const CubeLabels labels = cube_labels(protocol_.dfa, abstraction->may());
  std::vector<Trace> found;
  std::vector<bool> done(component_.calls().size(), false);
  for (const auto& [q, cube] : labels.order) {
    std::vector<bool> asked = refused(q);
    for (std::size_t c = 0; c < asked.size(); ++c)
      asked[c] = asked[c] && !done[c] && !left_.contains({q, c});
    const std::vector<bool>& errs = abstraction->must_err(cube, asked);
    for (std::size_t c = 0; c < asked.size(); ++c) {
      if (!asked[c] || errs[c]) continue;
      done[c] = true;
      found.push_back({labels.origins.at({q, cube}).constructor, labels.word(q, cube), c});
    }
  }
  return found;
}

void InterfaceProof::leave_to_nodes(const Trace& word) {
  left_.try_emplace(pair_of(protocol_, word), Left{word, {}});
}

void InterfaceProof::leave_rest_to_nodes(const std::shared_ptr<MayMust>& abstraction) {
  errs_ = abstraction;
  const CubeLabels labels = cube_labels(protocol_.dfa, abstraction->may());
  for (const auto& [q, cube] : labels.order) {
    const std::vector<bool> asked = refused(q);
    const std::vector<bool>& errs = abstraction->must_err(cube, asked);
    for (std::size_t c = 0; c < asked.size(); ++c)
      if (asked[c] && !errs[c] && !left_.contains({q, c}))
        left_[{q, c}].word = {labels.origins.at({q, cube}).constructor, labels.word(q, cube), c};
  }
}

const Standing& InterfaceProof::show_refusals() {
  for (auto& [pair, left] : left_) {
    if (left.standing) continue;
    Standing standing = show_pair(pair);
    if (standing.doubt()) return permissive_ = std::move(standing);
    past_open_ = past_open_ || standing.open();
    left.standing = std::move(standing);
  }
  conclude_pairs();
  if (permissive_.shown()) permissive_ = show_constructors();
  return permissive_;
}

Standing InterfaceProof::show_pair(RefusedPair pair) {
  const std::string& name = component_.calls()[pair.call].name;
  if (label_shows(pair)) return Standing::as_shown();
  const auto goal = setting_.goals().errs(pair.call);
  if (!goal)
    return Standing::open_for(
        fmt::format("whether '{}' errs depends on choices that could not be eliminated", name));
  std::optional<Trace> doubt, undecided; // words on which must-nodes fail
  const auto pass_over = [&](const MustNodes::Gap& gap) {
    Trace word{*gap.constructor, gap.letters, pair.call};
    const bool never = setting_.never(word);
    past_open_ = past_open_ || !never;
    if (never || !undecided) (never ? doubt : undecided) = std::move(word);
    return !never;
  };
  const Strategy& strategy = setting_.strategy();
  const auto node = nodes().show(pair.state, *goal, strategy.most_nodes, pass_over,
                                 strategy.most_nodes_past_open);
  if (node) {
    if (*node) proof_.refusals[{pair.state, pair.call}] = **node;
    return Standing::as_shown();
  }
  if (doubt) return Standing::in_doubt(*doubt);
  if (undecided)
    return Standing::open_for(fmt::format("{} may err, {}", setting_.text(*undecided), hidden),
                              undecided);
  return Standing::open_for(
      fmt::format("that '{}' errs could not be shown: {}", name, node.error().reason));
}

/// Where the label is enough, what leaves no run does not count.
bool InterfaceProof::label_shows(RefusedPair pair) {
  if (!setting_.formulas().approximate(pair.call)) return false; // then nodes find it out
  const auto goal = setting_.goals().errs_if_at_all(pair.call);
  return goal && nodes().holds(pair.state, *goal);
}

bool InterfaceProof::show_plainly(RefusedPair pair) {
  if (label_shows(pair)) return true;
  const auto goal = setting_.goals().errs(pair.call);
  const auto node = goal ? nodes().show(pair.state, *goal, setting_.strategy().most_nodes)
                         : std::unexpected(MustNodes::Gap{});
  if (node && *node) proof_.refusals[{pair.state, pair.call}] = **node;
  return node.has_value();
}

void InterfaceProof::leave_open(const Trace& doubt, const std::string& reason) {
  Left& left = left_[pair_of(protocol_, doubt)];
  left = {doubt, Standing::open_for(reason, doubt)};
  past_open_ = true;
  conclude_pairs();
}

std::map<RefusedPair, Standing> InterfaceProof::open_pairs() const {
  std::map<RefusedPair, Standing> open;
  for (const auto& [pair, left] : left_)
    if (left.standing && !left.standing->shown()) open[pair] = *left.standing;
  return open;
}

/// Open pairs are named one by one.
void InterfaceProof::conclude_pairs() {
  permissive_ = Standing::as_shown();
  std::string text;
  for (const auto& [pair, standing] : open_pairs())
    text += fmt::format("{}the refusal of '{}' in state {} is open: {}", text.empty() ? "" : "; ",
                        component_.calls()[pair.call].name, pair.state, standing.reason);
  if (!text.empty()) permissive_ = Standing::open_for(std::move(text));
}

/// A refused constructor errs whatever is hidden.
Standing InterfaceProof::show_constructors() {
  TermArena& arena = setting_.arena();
  ComponentFormulas& formulas = setting_.formulas();
  for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
    if (protocol_.dfa.entries()[k] != no_state || !safe_->may().constructor_errs(k)) continue;
    const CallFormulas& below = formulas.constructor(k, Side::Below);
    Term errs = substitute(arena, below.errs, formulas.initial());
    if (below.body.approximate())
      errs = formulas.surely(below.body, errs, true).value_or(arena.falsehood());
    if (setting_.solver().check({setting_.facts(), errs}) != Truth::Sat)
      return Standing::open_for(fmt::format("the constructor '{}' may err, {}",
                                            component_.constructors()[k].name, hidden));
  }
  return Standing::as_shown();
}

// ---- full

void InterfaceProof::leave_not_full(const std::string& reason) {
  full_ = Standing::open_for(reason);
  proof_.outcomes.clear();
}

const Standing& InterfaceProof::show_outcomes(bool asked) {
  const Dfa& dfa = protocol_.dfa;
  std::map<Letter, Result<Term>> able; // the states in which a letter can happen
  proof_.outcomes.clear();
  if (setting_.options().of_parts && !asked)
    return full_ = Standing::open_for("outcomes by arguments are not looked at");
  full_ = Standing::as_shown();
  for (State q = 0; q < dfa.states(); ++q)
    for (Letter l = 0; l < dfa.letters() && full_.shown(); ++l) {
      if (dfa.next(q, l) == no_state) continue;
      auto can = able.find(l);
      if (can == able.end())
        can = able.emplace(l, setting_.formulas().surely_leads(l, setting_.arena().truth())).first;
      full_ = can->second ? show_outcome(q, l, *can->second, asked)
                          : Standing::open_for(can->second.error().message);
    }
  if (!full_.shown()) proof_.outcomes.clear();
  return full_;
}

Standing InterfaceProof::show_outcome(State q, Letter letter, Term can, bool asked) {
  const Strategy& strategy = setting_.strategy();
  const auto node = nodes().show(q, can, asked ? strategy.most_nodes : strategy.most_unasked_nodes);
  if (node) {
    if (*node) proof_.outcomes[{q, letter}] = **node;
    return Standing::as_shown();
  }
  if (!asked)
    return Standing::open_for(
        "not every outcome was shown to be possible wherever it is listed (see --full)");
  const MustNodes::Gap& gap = node.error();
  if (!gap.constructor)
    return Standing::open_for(fmt::format("that '{}' is possible could not be shown: {}",
                                          component_.letter_name(letter), gap.reason));
  Trace word{*gap.constructor, gap.letters, std::nullopt};
  word.letters.push_back(letter);
  if (setting_.never(word)) return Standing::in_doubt(std::move(word));
  return Standing::open_for(fmt::format("{} may be possible, {}", setting_.text(word), hidden),
                            word);
}

// ---- fewer states

std::unique_ptr<InterfaceProof> InterfaceProof::coarser() {
  Protocol fewer = minimal(coarsened(protocol_, component_), component_).protocol;
  if (fewer.dfa.states() >= protocol_.dfa.states()) return nullptr;
  auto made = std::make_unique<InterfaceProof>(setting_, std::move(fewer), safe_);
  bool holds = made->show_safe().shown();
  if (holds && permissive_.shown()) {
    made->leave_rest_to_nodes(errs_);
    holds = made->show_refusals().shown();
  } else {
    made->permissive_ = permissive_;
  }
  setting_.story().tell("outcomes that cannot happen are not told apart: {} states {}",
                        made->protocol_.dfa.states(),
                        holds ? "suffice" : "would do, but are not proved");
  if (!holds) return nullptr;
  made->full_ = full_.shown() ? Standing::open_for("fewer states suffice to say which calls are "
                                                   "allowed (see --full)")
                              : full_;
  if (!permissive_.shown())
    for (const auto& [pair, left] : left_)
      made->left_.try_emplace(pair_of(made->protocol_, left.word), left);
  return made;
}

} // namespace tacit
