// What BuildInterface and LearnReuse share (synthesis/predicate/maymust.h): the two abstractions
// with their predicates, exact answers about single words, refinement, and the proof of what was
// found.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "abstraction/maymust/may_must.h"
#include "abstraction/maymust/must_nodes.h"
#include "logic/z3/eliminate.h"
#include "logic/z3/interpolate.h"
#include "synthesis/predicate/predicate_labels.h"
#include "synthesis/protocol/engine.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {

/// Whether a word can happen, or the call behind it can err.
enum class Fact {
  Yes,
  No,
  Unclear, // only by values hidden behind an approximation, or in a loop without a bound
};

class MayMustContext {
public:
  /// All outlive the context.
  MayMustContext(ComponentFormulas& formulas, Solver& solver, Eliminator& eliminator,
                 const SynthesisOptions& options, Budget& budget);

  const Component& component() const { return component_; }
  const SynthesisOptions& options() const { return options_; }
  Budget& budget() { return budget_; }
  ComponentFormulas& formulas() { return formulas_; }
  Solver& solver() { return solver_; }
  std::string text(const Trace& trace) const { return to_text(component_, trace); }

  /// Over all predicates.
  MayMust& may() { return *may_; }
  /// Over those that were not learnt for the may side alone.
  MayMust& must() { return must_ ? *must_ : *may_; }
  const PredicateSet& predicates() const { return may_set_; }

  /// By the component itself, not by abstractions.
  Fact judge(const Trace& trace);

  /// Predicates from a word that the abstractions judge wrongly, by weakest preconditions or, for
  /// words that cannot happen or err, by interpolation, as the options say. False when there is
  /// nothing new. References to the abstractions are void afterwards.
  /// With Refinement::RefineMay, a word that cannot happen or err concerns the may side only,
  /// unless it disproves a refusal.
  enum class Learns { ByOption, Both };
  bool refine(const Trace& trace, Fact fact, Learns who = Learns::ByOption);
  /// The same for a word that matters only to which outcomes are possible. These are counted.
  bool refine_outcomes(const Trace& trace);
  /// More such words than a component with a small full interface would ask for.
  bool outcomes_run_away() const;

  /// Nothing can be asked any more; why_stopped() tells why.
  bool stopped();
  const std::string& why_stopped() const { return stop_; }

  /// Forgets the predicates, and stops to care for which outcomes are possible.
  void start_over();
  bool strict() const { return strict_; }

  /// Proves what it can about an interface. What comes back is a word that disproves it: its call,
  /// which is refused, cannot err behind it; or, without a call, its last letter cannot happen. No
  /// value: open() and full() tell how far the proof goes.
  std::optional<Trace> settle(Protocol protocol);
  /// Takes an interface with fewer states if it does not have to be full and the proof carries
  /// over.
  void try_coarser();
  void leave_open(const std::string& why) { open_ = why; }

  // About the interface that was settled last.
  const std::optional<Protocol>& protocol() const { return protocol_; }
  bool full() const { return full_; }
  const std::string& open() const { return open_; }
  const std::string& not_full() const { return not_full_; }

  /// The result, with bounds where it is open.
  Synthesis finished();

  // Figures
  std::size_t iterations = 0; // learning from the start
  std::uint64_t membership_queries = 0, equivalence_queries = 0;

private:
  void rebuild();
  void seed_predicates();
  std::size_t adopt(const std::vector<Term>& found, PredicateSet& set);
  std::size_t add_weakest_preconditions(const Trace& trace, PredicateSet& set);
  std::size_t add_interpolants(const Trace& trace, PredicateSet& set);
  void tell_new(std::size_t before, std::string_view how) const;
  std::optional<Trace> show_refusals(const CubeLabels& labels);
  std::optional<Trace> show_outcomes();
  std::string run_away_text() const;
  /// The largest interface that the first predicates show safe.
  void retreat(Solver& solver);
  std::string theorem_2();
  void add_bounds(Interface& interface, Solver& solver);
  void add_figures(Interface& interface) const;

  ComponentFormulas& formulas_;
  const Component& component_;
  const SynthesisOptions& options_;
  Budget& budget_;
  Solver& solver_;
  Eliminator& eliminator_;
  std::unique_ptr<Interpolator> interpolator_; // made when it is first needed
  ErrorGoals goals_;
  std::vector<Term> state_;
  PredicateSet may_set_, must_set_; // the second one grows apart from the first with RefineMay only
  std::set<Term, TermById> useless_; // that adopt() need not look at again
  std::unique_ptr<MayMust> may_, must_;
  std::optional<Protocol> protocol_;
  PredicateProof proof_;
  std::unique_ptr<MustNodes> nodes_;
  std::vector<std::string> learnt_words_;
  std::size_t refinements_ = 0, outcome_refinements_ = 0;
  bool strict_ = true;
  bool full_ = false;
  std::string stop_, open_, not_full_;
};

} // namespace tacit
