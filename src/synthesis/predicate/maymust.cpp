#include "synthesis/predicate/maymust.h"

#include <set>

#include "logic/z3/z3_solver.h"
#include "synthesis/predicate/interface_proof.h"
#include "synthesis/predicate/must_oracle.h"
#include "synthesis/predicate/reuse_teacher.h"
#include "synthesis/predicate/unreachable.h"

namespace tacit {
namespace {

class MayMustEngine {
public:
  explicit MayMustEngine(PredicateSetting& setting)
      : setting_(setting), component_(setting.component()), story_(setting.story()),
        both_(setting) {}

  Synthesis run() {
    if (setting_.options().refinement != Refinement::LearnReuse || !learn_reuse())
      build_interface();
    return finished();
  }

private:
  // ---- Algorithm 1, BuildInterface

  enum class Next { Done, Again, Stop };

  void build_interface() {
    while (!both_.stopped()) {
      auto protocol = learn_must();
      if (!protocol) return;
      story_.tell("iteration {}: the interface of the must abstraction has {} states",
                  both_.iterations, protocol->dfa.states());
      const Next safe = check_safe(*protocol);
      if (safe == Next::Stop) return;
      if (safe == Next::Again) continue;
      story_.tell("  it is safe for the may abstraction");
      const auto doubt = settle(std::move(*protocol));
      if (doubt ? learn_from(*doubt) : drop_unreachable()) continue;
      try_coarser();
      return;
    }
  }

  /// LearnInterface: the language of the must abstraction as it is at this time.
  std::optional<Protocol> learn_must() {
    ++both_.iterations;
    const auto abstraction = both_.must();
    MustOracle::Forced forced;
    for (const Trace& trace : known_illegal_)
      forced.insert({abstraction->region(trace.constructor, trace.letters), *trace.call});
    MustOracle must(*abstraction, std::move(forced));
    Protocol protocol(component_);
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
      const Region start = must.start(k);
      if (start == empty_region) {
        protocol.dfa.add_entry(no_state);
        continue;
      }
      ComponentWords words(must, start);
      RegionEquivalence equivalence(must, start, setting_.budget());
      const auto learner = new_learner(words, setting_.budget());
      const LearnResult result = learn(*learner, equivalence, setting_.budget());
      both_.membership_queries += result.statistics.membership_queries;
      both_.equivalence_queries += result.statistics.equivalence_queries;
      if (both_.stopped() || !result.complete) return std::nullopt;
      protocol.dfa.add_entry(add_hypothesis(protocol, result.hypothesis, component_));
    }
    return minimal(protocol, component_).protocol;
  }

  Next check_safe(const Protocol& protocol) {
    while (true) {
      MayOracle& may = both_.may()->may();
      const auto trace = unsafe_word(protocol, may, cube_labels(protocol.dfa, may));
      if (both_.stopped()) return Next::Stop;
      if (!trace) return Next::Done;
      const Fact fact = setting_.judge(*trace);
      story_.tell("  CheckSafe: {} may err; {}", setting_.text(*trace),
                  fact == Fact::No ? "it cannot (infeasible)" : "it can (feasible)");
      if (both_.refine(*trace, fact)) {
        if (fact == Fact::No && setting_.options().refinement == Refinement::RefineMay) continue;
        return Next::Again;
      }
      // No predicate tells more about it: another run of the word works, or nothing is known.
      if (!trace->call ||
          !refused_.insert({trace->constructor, trace->letters, *trace->call}).second) {
        open_ = unsettled(*trace);
        return Next::Stop;
      }
      story_.tell("  it is refused from now on");
      known_illegal_.push_back(*trace);
      return Next::Again;
    }
  }

  /// From a word that disproves the interface; true when there is another one to look at.
  bool learn_from(const Trace& doubt) {
    story_.tell("  {} {}", setting_.text(doubt),
                doubt.call ? "is legal or cannot happen" : "cannot happen");
    const bool learnt = doubt.call
                            ? both_.refine(doubt, Fact::No, MayMustAbstractions::Learns::Both)
                            : both_.refine_outcomes(doubt);
    if (both_.outcomes_run_away()) {
      forget_outcomes();
      return true;
    }
    if (!learnt) open_ = unsettled(doubt);
    return learnt;
  }

  bool drop_unreachable() {
    if (!proof_ || setting_.options().followed ||
        unreachable_ >= setting_.strategy().most_unreachable)
      return false;
    for (const Trace& trace :
         unreachable_states(setting_.formulas(), setting_.solver(), proof_->protocol().dfa)) {
      story_.tell("  {} cannot happen, and nothing else leads to its state", setting_.text(trace));
      ++unreachable_;
      if (both_.refine(trace, Fact::No, MayMustAbstractions::Learns::Both)) return true;
    }
    return false;
  }

  // ---- Algorithms 2 to 4, LearnReuse

  struct Pupil {
    std::unique_ptr<ReuseTeacher> teacher; // none: the constructor gives nothing
    std::unique_ptr<Learner> learner;
  };

  /// False when it came to nothing because it cares for outcomes: when words about them came
  /// without end, or some were not settled.
  bool learn_reuse() {
    ++both_.iterations;
    Budget turn; // ends when nothing more can be asked
    std::vector<Pupil> pupils(component_.constructors().size());
    for (std::size_t k = 0; k < pupils.size(); ++k) {
      if (both_.may()->may().start(k) == empty_region) continue;
      pupils[k].teacher = std::make_unique<ReuseTeacher>(both_, k, turn);
      pupils[k].learner = new_learner(*pupils[k].teacher, turn);
    }
    while (auto protocol = learn_together(pupils, turn)) {
      const auto doubt = settle(std::move(*protocol));
      if (both_.stopped()) break;
      if (doubt && teach(pupils[doubt->constructor], *doubt, turn)) continue;
      if (doubt) open_ = unsettled(*doubt);
      try_coarser();
      break;
    }
    for (const Pupil& pupil : pupils)
      if (pupil.learner) both_.membership_queries += pupil.learner->queries();
    if (both_.stopped() || (!both_.outcomes_run_away() && (!is_open() || setting_.options().full)))
      return true;
    forget_outcomes();
    return false;
  }

  std::optional<Protocol> learn_together(std::vector<Pupil>& pupils, Budget& turn) {
    Protocol protocol(component_);
    for (Pupil& pupil : pupils) {
      if (!pupil.learner) {
        protocol.dfa.add_entry(no_state);
        continue;
      }
      const LearnResult result = learn(*pupil.learner, *pupil.teacher, turn);
      if (!pupil.teacher->unsettled().empty()) open_ = pupil.teacher->unsettled();
      if (!result.complete || turn.exhausted_now()) return std::nullopt;
      protocol.dfa.add_entry(add_hypothesis(protocol, result.hypothesis, component_));
    }
    return minimal(protocol, component_).protocol;
  }

  /// A word that must-nodes found.
  bool teach(Pupil& pupil, const Trace& doubt, Budget& turn) {
    Word word(doubt.letters.begin(), doubt.letters.end());
    if (doubt.call) word.push_back(static_cast<Letter>(component_.letter_of(*doubt.call, 0)));
    const Answer answer = pupil.teacher->query(word);
    if (turn.exhausted_now() || answer == pupil.learner->hypothesis().classify(word)) return false;
    story_.tell("must-nodes: {} is {}", setting_.text(doubt), to_string(answer));
    pupil.learner->refine(word);
    return true;
  }

  // ---- both

  std::unique_ptr<Learner> new_learner(WordOracle& teacher, Budget& budget) {
    return make_learner(setting_.options().learner.value_or(LearnerKind::Tree),
                        component_.letters(), teacher, {letter_groups(component_), &budget});
  }

  void forget_outcomes() {
    story_.tell("which outcomes are possible is not settled: the interface need not know, and is "
                "built anew");
    proof_.reset();
    open_.clear();
    both_.start_over();
    known_illegal_.clear();
    refused_.clear();
  }

  /// Proves what it can about an interface. What comes back is a word that disproves it: its call,
  /// which is refused, cannot err behind it; or, without a call, its last letter cannot happen.
  std::optional<Trace> settle(Protocol protocol) {
    open_.clear();
    proof_ = std::make_unique<InterfaceProof>(setting_, std::move(protocol), both_.may());
    if (const Standing safe = proof_->show_safe(); !safe.shown()) {
      open_ = safe.reason;
      proof_.reset();
      return std::nullopt;
    }
    proof_->leave_rest_to_nodes(both_.may());
    while (proof_->show_refusals().doubt()) {
      const Trace doubt = *proof_->permissive().word;
      if (!proof_->past_open() || ++past_open_ <= setting_.strategy().most_words_past_open)
        return doubt;
      proof_->leave_open(doubt, unsettled(doubt));
    }
    if (!proof_->permissive().shown()) return std::nullopt;
    if (!proof_->show_outcomes(both_.strict()).doubt()) return std::nullopt;
    return proof_->full().word;
  }

  bool is_open() const { return !open_.empty() || !proof_ || !proof_->permissive().shown(); }

  std::string unsettled(const Trace& trace) const {
    return setting_.text(trace) + ": no predicate was found that settles it";
  }

  void try_coarser() {
    if (is_open() || proof_->full().shown()) return;
    if (auto fewer = proof_->coarser()) proof_ = std::move(fewer);
  }

  Synthesis finished();

  PredicateSetting& setting_;
  const Component& component_;
  const Story& story_;
  MayMustAbstractions both_;
  std::unique_ptr<InterfaceProof> proof_; // of the interface that was settled last
  std::string open_;                      // why nothing better was found
  std::vector<Trace> known_illegal_;
  std::set<std::tuple<std::size_t, std::vector<std::size_t>, std::size_t>> refused_;
  std::size_t unreachable_ = 0, past_open_ = 0;
};

Synthesis MayMustEngine::finished() {
  // What is left to do when the budget ran out gets a small one of its own.
  Budget last({.seconds = setting_.strategy().bound_seconds,
               .memory_bytes = {},
               .queries = {},
               .steps = {}});
  const auto fresh = make_z3_solver({.budget = &last});
  const std::string& stop = both_.why_stopped();
  Solver& solver = is_open() || !stop.empty() ? *fresh : setting_.solver();
  std::vector<Term> predicates = both_.predicates().all();
  if (!proof_ || !stop.empty()) {
    proof_ = InterfaceProof::of_most(setting_, predicates);
    if (!proof_) proof_ = InterfaceProof::of_nothing(setting_, solver);
    if (open_.empty()) open_ = "no interface was found";
    if (predicates.size() > setting_.strategy().least_bound_predicates)
      predicates.resize(setting_.strategy().least_bound_predicates);
  }
  if (!stop.empty()) open_ = stop;
  if (!open_.empty()) proof_->leave_open(open_);
  const std::string agreement = is_open() ? "" : both_.theorem_2(*proof_);
  if (!agreement.empty()) story_.tell("Theorem 2: {}", agreement);
  MayOracle runs(setting_.formulas(), predicates, solver);
  Synthesis result = proof_->finished({"maymust", runs, solver, both_.predicates().all()});
  both_.add_figures(result.interface);
  if (!agreement.empty()) result.interface.stats.set("theorem_2", agreement);
  return result;
}

} // namespace

Result<Synthesis> synthesise_maymust(const Component& component, const SynthesisOptions& options,
                                     Budget& budget) {
  auto setting =
      PredicateSetting::create(component, options, maymust_strategy(options.refinement), budget);
  if (!setting) return std::unexpected(setting.error());
  return MayMustEngine(**setting).run();
}

} // namespace tacit
