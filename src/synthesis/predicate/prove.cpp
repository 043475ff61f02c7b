#include "synthesis/predicate/prove.h"

#include <algorithm>

#include "abstraction/formula/written_predicates.h"
#include "component/run.h"
#include "synthesis/finish/run_writer.h"
#include "synthesis/predicate/interface_proof.h"
#include "synthesis/predicate/refiner.h"

namespace tacit {
namespace {

class Prover {
public:
  Prover(PredicateSetting& setting, const Protocol& given)
      : setting_(setting), given_(given), refiner_(setting), safety_(setting.arena()),
        permissiveness_(setting.arena()) {
    const SynthesisOptions& options = setting.options();
    take(options.predicates.predicates);
    if (options.seed) take(usable_predicates(setting.component(), options.seed->predicates));
  }

  Result<GivenProof> run() {
    while (true) {
      if (auto used = setting_.use_invariants(safety_.all()); !used)
        return std::unexpected(used.error());
      proof_ = std::make_unique<InterfaceProof>(setting_, given_, abstraction(safety_));
      Next next = show_safe();
      if (next == Next::Claim) next = show_constructors();
      if (next == Next::Claim) next = show_permissive();
      if (next == Next::Claim) {
        setting_.story().tell("every refused call errs");
        proof_->show_outcomes(false);
      }
      if (next != Next::Again) break;
    }
    if (!answer_.objection && answer_.open.empty()) answer_.synthesis = finished();
    return std::move(answer_);
  }

private:
  /// Claim: nothing is in the way of the next one. Again: the safety abstraction has learnt.
  enum class Next { Claim, Again, End };

  void take(const std::vector<Term>& given) {
    for (Term predicate : given) {
      safety_.add_atoms(predicate, setting_.state());
      permissiveness_.add_atoms(predicate, setting_.state());
    }
  }

  std::shared_ptr<MayMust> abstraction(const PredicateSet& predicates) {
    return std::make_shared<MayMust>(setting_.formulas(), setting_.goals(), predicates.all(),
                                     setting_.solver());
  }

  Next show_safe() {
    const Component& component = setting_.component();
    for (std::size_t k = 0; k < component.constructors().size(); ++k)
      if (given_.dfa.entries()[k] != no_state && proof_->abstraction()->may().constructor_errs(k)) {
        const auto run = proof_->abstraction()->may().failing_constructor(k);
        if (!run)
          return left_open("that '" + component.constructors()[k].name +
                           "' cannot err was not shown");
        return object({Objection::Kind::Errs, {k, {}, {}}}, run);
      }
    const Standing safe = proof_->show_safe();
    if (setting_.out_of_budget()) return left_open(setting_.budget_text());
    if (safe.shown()) {
      setting_.story().tell("no allowed call errs");
      return Next::Claim;
    }
    if (!safe.word) return left_open(safe.reason);
    const Trace& word = *safe.word;
    const Fact truth = setting_.judge(word);
    setting_.story().tell("{} is {}", setting_.text(word),
                          truth == Fact::Yes  ? "not safe"
                          : truth == Fact::No ? "harmless"
                                              : "unclear");
    if (truth == Fact::Yes)
      return object({word.call ? Objection::Kind::Errs : Objection::Kind::Unforeseen, word},
                    run_of(word));
    if (truth == Fact::No && ++words_ <= setting_.strategy().most_words &&
        refiner_.learn(word, Fact::No, safety_).learnt())
      return Next::Again;
    return left_open(truth == Fact::No
                         ? setting_.text(word) + ": no predicate was found that shows it harmless"
                         : safe.reason);
  }

  /// A constructor that is refused has to err. Whether it does is shown with the refusals.
  Next show_constructors() {
    for (std::size_t k = 0; k < setting_.component().constructors().size(); ++k)
      if (given_.dfa.entries()[k] == no_state && !proof_->abstraction()->may().constructor_errs(k))
        return object({Objection::Kind::Maker, {k, {}, {}}}, std::nullopt);
    return Next::Claim;
  }

  Next show_permissive() {
    while (true) {
      const auto errs = abstraction(permissiveness_);
      if (const auto failure = errs->may().failure()) return in_part(failure->message);
      auto suspicions = proof_->suspicions(errs);
      if (setting_.out_of_budget()) return in_part(setting_.budget_text());
      if (suspicions.empty()) break;
      std::ranges::stable_sort(suspicions, {}, [](const Trace& t) { return t.letters.size(); });
      // Shortest first, and what is learnt from it before the next one is looked at: so that the
      // first real one is the shortest.
      for (const Trace& word : suspicions) {
        if (++words_ > setting_.strategy().most_words)
          return in_part("refinement does not come to an end; the last word was " +
                         setting_.text(word));
        if (is_legal(word)) return object({Objection::Kind::Legal, word, !left_}, works_run(word));
        if (learn_refusal(word, *errs)) break;
      }
    }
    while (proof_->show_refusals().doubt()) {
      const Trace doubt = *proof_->permissive().word;
      if (is_legal(doubt)) return object({Objection::Kind::Legal, doubt, false}, works_run(doubt));
      if (++words_ <= setting_.strategy().most_words &&
          refiner_.learn(doubt, Fact::No, safety_).learnt())
        return Next::Again;
      proof_->leave_open(doubt,
                         setting_.text(doubt) + ": no predicate was found that rules it out");
    }
    return proof_->permissive().shown() ? Next::Claim : Next::End;
  }

  /// The call can be made behind it, with some outcome, and cannot err.
  bool is_legal(const Trace& word) const {
    const Component& component = setting_.component();
    if (!setting_.never(word)) return false;
    for (Letter l = 0; l < component.letters(); ++l) {
      if (component.letter(l).call != *word.call) continue;
      Trace longer{word.constructor, word.letters, std::nullopt};
      longer.letters.push_back(l);
      if (setting_.judge(longer) == Fact::Yes) return true;
    }
    return false;
  }

  bool learn_refusal(const Trace& word, const MayMust& errs) {
    const Fact truth = setting_.classify(word);
    if (refiner_.learn(word, truth, permissiveness_, errs.predicates().size()).learnt())
      return true;
    left_ = true;
    proof_->leave_to_nodes(word);
    return false;
  }

  std::optional<ConcreteRun> run_of(const Trace& word) {
    return proof_->abstraction()->may().run_along(word.constructor, word.letters, word.call);
  }

  /// The word, and the call with whatever outcome it has.
  std::optional<ConcreteRun> works_run(const Trace& word) {
    const Component& component = setting_.component();
    for (Letter l = 0; l < component.letters(); ++l) {
      if (component.letter(l).call != *word.call) continue;
      auto letters = word.letters;
      letters.push_back(l);
      auto run = proof_->abstraction()->may().run_along(word.constructor, letters, std::nullopt);
      if (run) return run;
    }
    return std::nullopt;
  }

  Next object(Objection objection, const std::optional<ConcreteRun>& run) {
    if (run) {
      const auto steps = replay(setting_.component(), *run);
      objection.run = RunWriter(setting_.component()).write(*run);
      if (steps.back().how == RunEnd::Erred) {
        objection.error = steps.back().error;
        objection.at = to_string(steps.back().where);
      }
    }
    answer_.objection = std::move(objection);
    return Next::End;
  }

  Next left_open(const std::string& why) {
    answer_.open = why;
    return Next::End;
  }

  Next in_part(const std::string& why) {
    proof_->leave_open(why);
    return Next::End;
  }

  Synthesis finished() {
    const auto predicates = permissiveness_.all();
    Synthesis result =
        proof_->finished({"prove", proof_->abstraction()->may(), setting_.solver(), predicates});
    result.interface.stats.set("iterations", words_);
    add_solver_figures(result.interface, refiner_.spent());
    return result;
  }

  PredicateSetting& setting_;
  const Protocol& given_;
  Refiner refiner_;
  PredicateSet safety_, permissiveness_;
  std::unique_ptr<InterfaceProof> proof_;
  GivenProof answer_;
  std::size_t words_ = 0;
  bool left_ = false; // words were passed over that must-nodes have to judge
};

} // namespace

Result<GivenProof> prove_given(const Component& component, const Protocol& given,
                               const SynthesisOptions& options, Budget& budget) {
  auto setting = PredicateSetting::create(component, options, permissive_strategy(), budget);
  if (!setting) return std::unexpected(setting.error());
  return Prover(**setting, given).run();
}

} // namespace tacit
