#include "synthesis/game/game.h"

#include <algorithm>
#include <set>

#include "finite/bdd/bdd_oracle.h"
#include "logic/term/print.h"
#include "synthesis/game/game_advice.h"
#include "synthesis/game/game_predicates.h"
#include "synthesis/game/game_teacher.h"
#include "synthesis/predicate/interface_proof.h"

namespace tacit {
namespace {

class GameEngine {
public:
  GameEngine(PredicateSetting& setting, const GamePredicates& predicates,
             const BooleanProgram& program, SetOracle* oracle)
      : setting_(setting), component_(setting.component()), predicates_(predicates),
        program_(program), oracle_(oracle), protocol_(component_) {}

  Result<Synthesis> run() {
    tell_predicates();
    for (const std::string& text : setting_.options().must_allow) {
      auto word = wanted_word(component_, text);
      if (!word) return std::unexpected(word.error());
      rules_.wanted.insert(rules_.wanted.end(), word->words.begin(), word->words.end());
      wanted_.push_back(std::move(*word));
    }
    if (auto played = oracle_ ? play() : allow_nothing(); !played)
      return std::unexpected(played.error());
    return finished();
  }

private:
  void tell_predicates() const {
    const Story& story = setting_.story();
    if (!story.told()) return;
    std::string names;
    for (Term p : program_.predicates) names += (names.empty() ? "" : ", ") + to_string(p);
    story.tell("predicates: {}", names.empty() ? "none" : names);
    for (const std::string& text : predicates_.constant)
      story.tell("'{}' has one value in every state and is left out", text);
    for (const std::string& text : predicates_.irrelevant)
      story.tell("'{}' is about nothing that any call depends on and is left out", text);
    story.tell("Boolean program: {} predicates, {} derived, {} variables",
               program_.predicates.size(), program_.derived, program_.variables);
  }

  State add_refusing_state() {
    complete_ = false;
    return protocol_.add_state(std::vector<bool>(component_.calls().size(), false));
  }

  /// When the budget ran out before anything was known.
  Result<void> allow_nothing() {
    complete_ = false;
    protocol_ = InterfaceProof::of_nothing(setting_, setting_.solver())->protocol();
    return {};
  }

  /// L* for each way to start.
  Result<void> play() {
    std::map<Region, State> learned; // constructors that start alike share what was learned
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
      const Region start = oracle_->start(k);
      if (start != empty_region && !learned.contains(start)) {
        auto entry = learn_from(start);
        if (!entry) return std::unexpected(entry.error());
        learned[start] = *entry;
      }
      protocol_.dfa.add_entry(start == empty_region ? no_state : learned[start]);
    }
    protocol_ = minimal(protocol_, component_).protocol;
    coarsen();
    return {};
  }

  Result<State> learn_from(Region start) {
    Budget& budget = setting_.budget();
    ComponentWords words(*oracle_, start);
    GameTeacher teacher(*oracle_, start, words, rules_, setting_.story(), budget);
    const auto learner =
        make_learner(setting_.options().learner.value_or(LearnerKind::Table), component_.letters(),
                     words, {letter_groups(component_), &budget});
    const LearnResult result = learn(*learner, teacher, budget);
    if (auto failure = oracle_->failure(); failure && !budget.exhausted_now())
      return std::unexpected(*failure);
    counts_.add(teacher.counts());
    counts_.membership += result.statistics.membership_queries;
    if (!result.complete) return add_refusing_state();
    end_ = std::max(end_, teacher.end());
    return add_hypothesis(protocol_, result.hypothesis, component_);
  }

  /// Fewer states by not telling which outcomes cannot happen, if that is still safe.
  void coarsen() {
    Protocol fewer = coarsened(protocol_, component_);
    if (fewer.dfa.states() >= protocol_.dfa.states()) return;
    const auto reached = oracle_->reachable(fewer.dfa);
    for (State q = 0; q < fewer.dfa.states(); ++q)
      for (Letter l = 0; l < component_.letters(); ++l) {
        const auto [call, outcome] = component_.letter(l);
        if (!fewer.allows(q, call)) continue;
        if (outcome == 0 && oracle_->erring(reached[q], call) != empty_region) return;
        if (fewer.dfa.next(q, l) == no_state &&
            oracle_->able(reached[q], l, std::nullopt) != empty_region)
          return;
      }
    setting_.story().tell("outcomes that cannot happen are not told apart: {} states suffice",
                          fewer.dfa.states());
    protocol_ = std::move(fewer);
  }

  /// What the predicates say about the component's states in each state of the interface; nothing
  /// when that is too large.
  std::optional<std::vector<Term>> labels() {
    if (!oracle_) return std::vector(protocol_.dfa.states(), component_.arena().truth());
    std::vector<Term> made;
    for (const Region region : oracle_->reachable(protocol_.dfa)) {
      const auto term = oracle_->describe(region);
      if (!term) return std::nullopt;
      made.push_back(setting_.shorter(program_.meaning(*term), setting_.solver()));
    }
    return made;
  }

  /// The calls that are refused somewhere without being shown to err in the component itself.
  std::set<std::size_t> open_calls(InterfaceProof& proof) {
    std::set<std::size_t> open;
    for (std::size_t c = 0; c < component_.calls().size(); ++c)
      for (State q = 0; q < protocol_.dfa.states(); ++q)
        if (!protocol_.allows(q, c) && !proof.show_plainly({q, c})) open.insert(c);
    return open;
  }

  std::string answer() const {
    if (!complete_) return "the budget ran out";
    return end_ == GameEnd::Open ? "safe and maximal, perhaps not most permissive"
                                 : "most permissive for these predicates";
  }

  Result<Synthesis> finished();
  std::string not_proved(const GameAdvice& advice) const;
  void add_constructors(Interface& interface, const std::vector<std::size_t>& not_started) const;
  void add_figures(Interface& interface, const GameAdvice& advice) const;

  PredicateSetting& setting_;
  const Component& component_;
  const GamePredicates& predicates_;
  const BooleanProgram& program_;
  SetOracle* oracle_; // on the program; null: the budget ran out before there was one
  GameRules rules_;
  Protocol protocol_;
  GameCounts counts_;
  GameEnd end_ = GameEnd::Superset;
  bool complete_ = true;
  std::vector<WantedWord> wanted_;
};

/// Why permissiveness is not proved, and what the user could do about it.
std::string GameEngine::not_proved(const GameAdvice& advice) const {
  std::string why = answer();
  if (!complete_)
    why += ": " + setting_.budget().reason();
  else
    why += "; not proved for the component itself";
  if (!advice.disputed().empty())
    why += ", which surely does not err on " + quoted(advice.disputed());
  if (const auto suggested = advice.suggested(); !suggested.empty())
    why += "; predicates that may help: " + quoted(suggested);
  return why;
}

Result<Synthesis> GameEngine::finished() {
  MayOracle concrete(setting_.formulas(), program_.predicates, setting_.solver());
  GameAdvice advice(setting_, program_.predicates, protocol_);
  const auto labelled = labels();
  InterfaceProof proof(
      setting_, protocol_,
      labelled.value_or(std::vector(protocol_.dfa.states(), component_.arena().truth())));
  std::vector<std::size_t> not_started; // constructors that only the abstraction refuses
  for (std::size_t k = 0; k < component_.constructors().size(); ++k)
    if (protocol_.dfa.entries()[k] == no_state && !concrete.constructor_errs(k) &&
        concrete.start(k) != empty_region)
      not_started.push_back(k);
  FinishOptions finishing{.engine = "game"};
  Verdict& verdict = finishing.verdict;
  verdict.assumptions = component_.assumptions();
  if (!labelled) {
    verdict.details["safe"] = "the labels that would prove it are too large";
  } else {
    verdict.safe = Claim::Proved;
    if (complete_ && not_started.empty()) {
      const auto open = open_calls(proof);
      if (open.empty()) verdict.permissive = Claim::Proved;
      if (!open.empty()) advice.find_disputes(open);
    }
  }
  if (verdict.permissive == Claim::Proved) {
    setting_.story().tell("{}, and for the component itself", answer());
  } else {
    verdict.details["permissive"] = not_proved(advice);
    setting_.story().tell("{}", verdict.details["permissive"]);
  }
  verdict.details["full"] = "the game is about calls, not about outcomes that cannot happen";
  const std::string refused = advice.judge(wanted_);
  if (!refused.empty()) verdict.details["must_allow"] = refused;
  if (const std::string text = predicates_.left_out(); !text.empty())
    verdict.details["predicates"] = text;
  Synthesis result{proof.written(std::move(finishing), concrete, setting_.solver()), true};
  Interface& interface = result.interface;
  if (!labelled) interface.verdict.safe = Claim::Unknown;
  withdraw_unlabelled(result);
  add_constructors(interface, not_started);
  for (const Refusal& refusal : interface.forbidden)
    if (refusal.error == not_shown_safe && interface.verdict.permissive == Claim::Proved) {
      interface.verdict.permissive = Claim::Unknown;
      interface.verdict.details["permissive"] = answer() +
                                                "; no run was found that ends in the error of '" +
                                                interface.refused_name(refusal) + "'";
    }
  result.settled =
      interface.verdict.permissive == Claim::Proved && refused.empty() && !setting_.options().full;
  add_figures(interface, advice);
  return result;
}

/// Refusals of constructors that the component itself would allow, in their order.
void GameEngine::add_constructors(Interface& interface,
                                  const std::vector<std::size_t>& not_started) const {
  auto& forbidden = interface.forbidden;
  for (auto k = not_started.rbegin(); k != not_started.rend(); ++k)
    forbidden.insert(
        forbidden.begin(),
        {.call = *k, .error = not_shown_safe, .word = {component_.constructors()[*k].name}});
  std::ranges::stable_sort(forbidden, [](const Refusal& a, const Refusal& b) {
    return !a.state && (b.state || a.call < b.call);
  });
  for (Refusal& refusal : forbidden)
    if (!refusal.state && refusal.error.empty()) refusal.error = not_shown_safe;
}

void GameEngine::add_figures(Interface& interface, const GameAdvice& advice) const {
  for (Term p : program_.predicates) interface.predicates.push_back(to_string(p));
  Statistics& stats = interface.stats;
  stats.set("answer", answer());
  stats.set("settled_by", end_ == GameEnd::Superset ? "superset query"
                          : end_ == GameEnd::Exact  ? "exact game"
                                                    : "nothing");
  stats.set("predicates_given", program_.predicates.size());
  stats.set("derived_predicates", program_.derived);
  stats.set("boolean_variables", program_.variables);
  stats.set("membership_queries", counts_.membership);
  stats.set("subset_queries", counts_.subset);
  stats.set("superset_queries", counts_.superset);
  stats.set("one_step_further", counts_.one_step == 0         ? "not needed"
                                : counts_.one_step_found != 0 ? "found a counterexample"
                                                              : "found nothing");
  if (counts_.exact) {
    stats.set("exact_games", counts_.exact);
    stats.set("exact_counterexamples", counts_.exact_found);
    stats.set("beliefs", counts_.beliefs);
  }
  if (const auto suggested = advice.suggested(); !suggested.empty())
    stats.set("suggested_predicates", quoted(suggested));
  stats.set("solver_queries", static_cast<std::size_t>(setting_.solver().statistics().queries));
}

} // namespace

Result<BooleanProgram> game_program(const Component& component, const SynthesisOptions& options,
                                    Budget& budget) {
  auto setting = PredicateSetting::create(component, options, Strategy{}, budget);
  if (!setting) return std::unexpected(setting.error());
  auto predicates = GamePredicates::choose(**setting);
  if (!predicates) return std::unexpected(predicates.error());
  return predicates->program(**setting);
}

Result<Synthesis> synthesise_game(const Component& component, const SynthesisOptions& options,
                                  Budget& budget) {
  auto setting = PredicateSetting::create(component, options, Strategy{}, budget);
  if (!setting) return std::unexpected(setting.error());
  const auto predicates = GamePredicates::choose(**setting);
  if (!predicates) return std::unexpected(predicates.error());
  const auto program = predicates->program(**setting);
  if (!program) return std::unexpected(program.error());
  const auto abstract = abstract_component(component, *program);
  if (!abstract) return std::unexpected(abstract.error());
  const auto oracle = BddOracle::create(*abstract, budget);
  if (!oracle && !budget.exhausted_now()) return std::unexpected(oracle.error());
  return GameEngine(**setting, *predicates, *program, oracle ? oracle->get() : nullptr).run();
}

} // namespace tacit
