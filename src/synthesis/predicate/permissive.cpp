#include "synthesis/predicate/permissive.h"

#include <algorithm>

#include "abstraction/formula/written_predicates.h"
#include "logic/term/print.h"
#include "synthesis/predicate/bounds.h"
#include "synthesis/predicate/interface_proof.h"
#include "synthesis/predicate/refiner.h"
#include "synthesis/predicate/unreachable.h"
#include "synthesis/protocol/explore.h"

namespace tacit {
namespace {

class PermissiveEngine {
public:
  explicit PermissiveEngine(PredicateSetting& setting)
      : setting_(setting), refiner_(setting), safety_(setting.arena()),
        permissiveness_(setting.arena()) {
    const SynthesisOptions& options = setting.options();
    take(options.predicates.predicates);
    if (options.seed) take(usable_predicates(setting.component(), options.seed->predicates));
  }

  Result<Synthesis> run() {
    while (true) {
      const auto found = reconstruct_max();
      if (!found) return std::unexpected(found.error());
      Next next = *found;
      if (next == Next::Claim) next = check();
      if (next == Next::Claim) next = tighten();
      if (next == Next::End) break;
      setting_.story().tell("");
    }
    if (!proof_) {
      proof_ = InterfaceProof::of_nothing(setting_, setting_.solver());
      proof_->leave_open(setting_.budget_text());
    }
    const bool wanted_full = proof_->full().shown() && setting_.options().full;
    if (!wanted_full && !setting_.out_of_budget())
      if (auto fewer = proof_->coarser()) proof_ = std::move(fewer);
    return finished();
  }

private:
  /// Input predicates, for both abstractions.
  void take(const std::vector<Term>& given) {
    for (Term predicate : given) {
      safety_.add_atoms(predicate, setting_.state());
      permissiveness_.add_atoms(predicate, setting_.state());
    }
  }

  /// Interface: the safety abstraction has learnt something, there is another one to look at.
  /// Claim: nothing is in the way of the next claim about this one.
  enum class Next { Interface, Claim, End };

  /// Step 1.
  Result<Next> reconstruct_max() {
    ++iterations_;
    tell_predicates();
    if (auto used = setting_.use_invariants(safety_.all()); !used)
      return std::unexpected(used.error());
    const auto finer = abstraction(safety_);
    if (const auto failure = finer->may().failure()) return blocked(failure->message);
    auto explored = explore(finer->may(), setting_.budget(), kinds(finer->may()));
    if (!explored && !setting_.out_of_budget()) return std::unexpected(explored.error());
    // What was explored in part only says less than the interface before it.
    const bool complete = explored && explored->complete;
    if (complete || (explored && !proof_))
      proof_ = std::make_unique<InterfaceProof>(
          setting_, minimal(explored->protocol, setting_.component()).protocol, finer);
    if (complete)
      setting_.story().tell("step 1: an interface with {} states is safe",
                            proof_->protocol().dfa.states());
    else if (proof_)
      proof_->leave_open(setting_.budget_text());
    return complete ? Next::Claim : Next::End;
  }

  /// Which of the predicates that keep states apart hold in all cubes of a region, and which in
  /// none.
  KindOf kinds(MayOracle& may) const {
    std::vector<std::size_t> apart;
    for (Term predicate : setting_.options().apart)
      if (const auto at = std::ranges::find(may.predicates(), predicate);
          at != may.predicates().end())
        apart.push_back(static_cast<std::size_t>(at - may.predicates().begin()));
    if (apart.empty()) return {};
    return [&may, apart = std::move(apart)](Region region) {
      std::size_t kind = 0;
      for (const std::size_t bit : apart) {
        const auto holds = [&](const Cube& cube) { return cube.holds(bit); };
        kind = 3 * kind + (std::ranges::all_of(may.cubes(region), holds)    ? 1
                           : std::ranges::none_of(may.cubes(region), holds) ? 2
                                                                            : 0);
      }
      return kind;
    };
  }

  /// Steps 2 and 3: every refused call errs, by labels of the permissiveness abstraction, or by
  /// must-nodes.
  Next check() {
    while (true) {
      const auto errs = abstraction(permissiveness_);
      if (const auto failure = errs->may().failure()) return blocked(failure->message);
      const auto suspicions = proof_->suspicions(errs);
      if (setting_.out_of_budget()) return end(setting_.budget_text());
      if (suspicions.empty()) break;
      if (++iterations_ > setting_.strategy().most_words) return endless(suspicions[0]);
      if (refine(suspicions, *errs)) return Next::Interface;
    }
    while (proof_->show_refusals().doubt()) {
      const Trace doubt = *proof_->permissive().word;
      if (++iterations_ > setting_.strategy().most_words) return endless(doubt);
      if (learn_legal(doubt)) return Next::Interface;
    }
    if (!proof_->permissive().shown()) return Next::End;
    setting_.story().tell("step 2: every refused call errs");
    return drop_unreachable();
  }

  /// Step 3; true when the safety abstraction has learnt something. Words that cannot happen wait
  /// until the permissiveness abstraction learns no more: it may come to refuse them as well.
  bool refine(const std::vector<Trace>& words, const MayMust& errs) {
    std::vector<const Trace*> legal;
    bool sharper = false;
    for (const Trace& word : words) {
      const Fact truth = setting_.classify(word);
      if (truth == Fact::No) {
        legal.push_back(&word);
        continue;
      }
      setting_.story().tell("step 3: {} {}", setting_.text(word),
                            truth == Fact::Yes ? "is illegal (CXPERM)"
                                               : "errs in one run and not in another (CXBOTH)");
      if (refiner_.learn(word, truth, permissiveness_, errs.predicates().size()).learnt())
        sharper = true;
      else
        proof_->leave_to_nodes(word);
    }
    bool learnt = false;
    for (const Trace* word : legal)
      if (!sharper) learnt = learn_legal(*word) || learnt;
    return learnt;
  }

  /// CXSAFE, or a word that cannot happen at all: the safety abstraction has to know.
  bool learn_legal(const Trace& word) {
    setting_.story().tell("step 3: {} is legal or cannot happen (CXSAFE)", setting_.text(word));
    if (proof_->past_open() && ++past_open_ > setting_.strategy().most_words_past_open)
      proof_->leave_open(word,
                         setting_.text(word) + " is legal, but there is no end of such words");
    else if (learn_safety(word))
      return true;
    else
      proof_->leave_open(word,
                         setting_.text(word) + ": no predicate was found that shows it legal");
    return false;
  }

  bool learn_safety(const Trace& word) {
    const std::size_t known = proof_->abstraction()->predicates().size();
    return refiner_.learn(word, Fact::No, safety_, known).learnt();
  }

  /// A state that no word reaches in truth has refusals that no run can show: the safety
  /// abstraction learns why its shortest word cannot happen.
  Next drop_unreachable() {
    if (setting_.options().followed || unreachable_ >= setting_.strategy().most_unreachable)
      return Next::Claim;
    for (const Trace& word :
         unreachable_states(setting_.formulas(), setting_.solver(), proof_->protocol().dfa)) {
      setting_.story().tell("step 3: {} cannot happen, and nothing else leads to its state",
                            setting_.text(word));
      ++unreachable_;
      if (learn_safety(word)) return Next::Interface;
    }
    return Next::Claim;
  }

  /// Step 4: whatever outcome has a transition can happen after every word into the state. Learns
  /// only when told to.
  Next tighten() {
    const bool asked = setting_.options().full;
    if (!proof_->show_outcomes(asked).doubt()) return Next::End;
    const Trace doubt = *proof_->full().word;
    if (++iterations_ > setting_.strategy().most_words) {
      proof_->leave_not_full("refinement does not come to an end; the last word was " +
                             setting_.text(doubt));
    } else if (learn_safety(doubt)) {
      setting_.story().tell("step 4: {} cannot happen and should not be listed (tighten)",
                            setting_.text(doubt));
      return Next::Interface;
    } else {
      proof_->leave_not_full(setting_.text(doubt) +
                             ": no predicate was found that shows it impossible");
    }
    return Next::End;
  }

  Next end(const std::string& why) {
    proof_->leave_open(why);
    return Next::End;
  }

  Next endless(const Trace& last) {
    return end("refinement does not come to an end; the last word was " + setting_.text(last));
  }

  /// Too many predicates: keeps the interface at hand. What was being refined is open.
  Next blocked(const std::string& why) {
    const bool more = permissiveness_.size() > safety_.size();
    const std::string text = refiner_.run_away_text(why, more ? permissiveness_ : safety_);
    if (!proof_->permissive().shown()) return end(text);
    proof_->leave_not_full(text);
    return Next::End;
  }

  std::shared_ptr<MayMust> abstraction(const PredicateSet& predicates) {
    return std::make_shared<MayMust>(setting_.formulas(), setting_.goals(), predicates.all(),
                                     setting_.solver());
  }

  void tell_predicates() const {
    if (!setting_.story().told()) return;
    std::string names;
    for (Term p : safety_.all()) names += (names.empty() ? "" : ", ") + to_string(p);
    setting_.story().tell("safety predicates: {}", names.empty() ? "none" : names);
  }

  Synthesis finished() {
    MayOracle none(setting_.formulas(), {}, setting_.solver());
    MayOracle& runs = proof_->abstraction() ? proof_->abstraction()->may() : none;
    Synthesis result =
        proof_->finished({"permissive", runs, setting_.solver(), permissiveness_.all()});
    Interface& interface = result.interface;
    for (const PredicateSet* set : {&std::as_const(safety_), &std::as_const(permissiveness_)})
      for (Term p : set->all())
        if (const std::string text = to_string(p);
            std::ranges::find(interface.predicates, text) == interface.predicates.end())
          interface.predicates.push_back(text);
    interface.stats.set("iterations", iterations_);
    interface.stats.set("safety_predicates", safety_.size());
    interface.stats.set("permissiveness_predicates", permissiveness_.size());
    add_solver_figures(interface, refiner_.spent());
    return result;
  }

  PredicateSetting& setting_;
  Refiner refiner_;
  PredicateSet safety_, permissiveness_;
  std::unique_ptr<InterfaceProof> proof_; // of the interface at hand
  std::size_t iterations_ = 0, unreachable_ = 0, past_open_ = 0;
};

constexpr double least_second_try = 1; // seconds

/// When the budget ran out before anything could be asked: refusing everything is safe.
Synthesis nothing_known(const Component& component, const std::string& why) {
  Synthesis result{named_interface(component, "permissive"), false};
  Interface& interface = result.interface;
  for (std::size_t k = 0; k < interface.constructors.size(); ++k)
    interface.forbidden.push_back(
        {.call = k, .error = not_shown_safe, .word = {interface.constructors[k]}});
  Verdict& verdict = interface.verdict;
  verdict.assumptions = component.assumptions();
  verdict.safe = Claim::Proved;
  verdict.permissive = verdict.full = Claim::Unknown;
  verdict.details["permissive"] = verdict.details["full"] = why;
  return result;
}

} // namespace

Result<Synthesis> synthesise_permissive(const Component& component, const SynthesisOptions& options,
                                        Budget& budget) {
  auto setting = PredicateSetting::create(component, options, permissive_strategy(), budget);
  if (!setting && budget.exhausted_now())
    return nothing_known(component, "the budget ran out: " + budget.reason());
  if (!setting) return std::unexpected(setting.error());
  auto result = PermissiveEngine(**setting).run();
  const bool open = result && result->interface.verdict.permissive != Claim::Proved;
  if (!open || !(*setting)->formulas().has_cuts() || budget.exhausted_now()) return result;
  // What errs behind many rounds of a loop only is shown by following that many.
  options.story.tell("loops are followed for more rounds");
  Budget share(budget.share(1, budget.seconds_spent() + least_second_try));
  auto deeper =
      PredicateSetting::create(component, options, permissive_strategy(), share, LoopEffort::Deep);
  if (!deeper || (*deeper)->formulas().followed().empty()) return result;
  auto again = PermissiveEngine(**deeper).run();
  budget.count_queries(share.queries());
  const bool better = again && again->interface.verdict.permissive == Claim::Proved;
  return better ? std::move(again) : std::move(result);
}

} // namespace tacit
