// The two abstractions of the engine `maymust` with their predicates, refined on the fly. Both are
// over the same predicates, except with Refinement::RefineMay: there, words that cannot happen or
// err teach the may side only.
#pragma once

#include <memory>
#include <string>

#include "synthesis/predicate/interface_proof.h"
#include "synthesis/predicate/refiner.h"

namespace tacit {

class MayMustAbstractions {
public:
  explicit MayMustAbstractions(PredicateSetting& setting);

  PredicateSetting& setting() { return setting_; }
  const Component& component() const { return setting_.component(); }
  const SynthesisOptions& options() const { return setting_.options(); }
  const Story& story() const { return setting_.story(); }
  std::string text(const Trace& trace) const { return setting_.text(trace); }

  /// Over all predicates. Whoever keeps it sees what it was before a refinement.
  const std::shared_ptr<MayMust>& may() const { return may_; }
  /// Over those that were not learnt for the may side alone.
  const std::shared_ptr<MayMust>& must() const { return must_; }
  const PredicateSet& predicates() const { return may_set_; }

  /// Predicates from a word that the abstractions judge wrongly; `fact` is the truth about it.
  /// False when there is nothing new. With Learns::Both the must side learns in any case, since the
  /// word disproves a refusal.
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

  /// On a proved interface, what must err and what may err is the same: a search of its own over
  /// pairs of interface states and regions. Says what came of it.
  std::string theorem_2(const InterfaceProof& proof);

  void add_figures(Interface& interface) const;

  // Figures of learning
  std::size_t iterations = 0; // from the start
  std::uint64_t membership_queries = 0, equivalence_queries = 0;

private:
  void rebuild();
  void seed_predicates();

  PredicateSetting& setting_;
  Refiner refiner_;
  PredicateSet may_set_, must_set_;
  std::shared_ptr<MayMust> may_, must_;
  std::size_t refinements_ = 0, outcome_refinements_ = 0;
  bool strict_ = true;
  std::string stop_;
};

} // namespace tacit
