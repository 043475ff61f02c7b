// Learners, and the loop that drives one against its two teachers.
//
//                                                        ┌───────────────┐
//   make_learner            hypothesis()                 ▼               │ hypothesis(),
//  ──────────────► IGNORANT ────────────────────────► SETTLED ───────────┘ refine(w)
//                      │                                 │
//                      │         budget exhausted        │
//                      └───────────► STOPPED ◄───────────┘
//
// In refine(w), w is a real counterexample to the last hypothesis. hypothesis() asks only
// when IGNORANT; its reference is valid until the next refine(). stopped() is true when
// STOPPED, where refine() does nothing and hypothesis() gives the last one that was finished,
// at first the empty machine.
//
// Recipe for a learner. MUST: hand out canonical hypotheses, with pairwise different
// states, each refine() adding at least one state. MAY: use a counterexample more than
// once. BEWARE: ask through learning/knowledge.h, which alone knows what follows from
// earlier answers and when to stop. Then name it in LearnerKind and make_learner().
//
// Ownership: a learner refers to its oracle and its budget, which outlive it. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/budget.h"
#include "learning/hypothesis.h"
#include "learning/oracle.h"

namespace tacit {

class Learner {
public:
  virtual ~Learner() = default;

  virtual const Hypothesis& hypothesis() = 0;
  virtual void refine(const Word& counterexample) = 0;
  virtual bool stopped() const = 0;

  /// Questions that reached the word oracle so far, and the letters in them.
  virtual std::uint64_t queries() const = 0;
  virtual std::uint64_t letters_in_queries() const = 0;
};

enum class LearnerKind {
  Table, ///< the observation table of the papers: learning/observation_table.h
  Tree,  ///< fewest questions, the default: learning/discrimination_tree.h
};

struct LearnerOptions {
  LetterGroups groups;      ///< see learning/oracle.h
  Budget* budget = nullptr; ///< polled after every answer; null: unlimited
};

std::unique_ptr<Learner> make_learner(LearnerKind kind, std::size_t letters, WordOracle& oracle,
                                      LearnerOptions options = {});

struct LearnStatistics {
  std::uint64_t membership_queries = 0;
  std::uint64_t letters_in_queries = 0;
  std::uint64_t equivalence_queries = 0;
  std::vector<std::size_t> counterexample_lengths;
};

struct LearnResult {
  Hypothesis hypothesis;
  /// The equivalence oracle had no counterexample to the hypothesis, which is as strong as
  /// that oracle is. False: the budget was exhausted before; budget.reason() says how.
  bool complete = false;
  LearnStatistics statistics;
};

/// Refines until there is no counterexample or no budget. `budget` should be the one in the
/// learner's options, if it has one.
LearnResult learn(Learner& learner, EquivalenceOracle& equivalence, Budget& budget);

} // namespace tacit
