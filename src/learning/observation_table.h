// L* with an observation table: Angluin's algorithm as improved by Rivest and Schapire,
// in the form of "Algorithms for Interface Synthesis" (Beyer, Henzinger, Singh; CAV 2007,
// Algorithm 3) and "Synthesis of Interface Specifications for Java Classes" (Alur, Černý,
// Madhusudan, Nam; POPL 2005, Figure 3). Kept as the papers have it; the learner with
// fewer questions is learning/discrimination_tree.h.
//
//   R   representative words, one per live state; their rows are pairwise different
//   E   suffixes, the first of them empty
//   G   the answers of r·e and r·f·e, for r in R, f a letter, e in E
//
// The table is closed when the row of every Legal r·f is that of some representative
// (checkClosure); if one is not, it becomes a representative itself. A closed table is a
// hypothesis (makeConjecture). A counterexample gives E exactly one more suffix
// (findSuffix, in learning/counterexample.h), which tells apart the row of some r·f from
// that of the representative it was taken for. So consistency never needs a check.
//
// Unlike the papers', answers are three-valued and sinks have no rows, as all their
// extensions are known. Questions: |R|·letters + (number of Legal r·f)·|E| at most, plus
// log |w| for each counterexample w.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learning/knowledge.h"
#include "learning/learner.h"

namespace tacit {

class ObservationTable : public Learner {
public:
  ObservationTable(std::size_t letters, WordOracle& oracle, LearnerOptions options);

  const Hypothesis& hypothesis() override;
  void refine(const Word& counterexample) override;
  bool stopped() const override { return knowledge_.stopped(); }
  std::uint64_t queries() const override { return knowledge_.queries(); }
  std::uint64_t letters_in_queries() const override { return knowledge_.letters_in_queries(); }

private:
  struct Row {
    Word word;
    std::vector<Answer> answers; // one for each suffix in E
  };

  /// A Legal r·f.
  struct Extension {
    State from;
    Letter letter;
    Row row;
  };

  bool fill(Row& row);
  bool add_representative(Row row);
  bool close();
  bool make_conjecture();

  Knowledge knowledge_;
  std::vector<Row> representatives_;  // R
  std::vector<Extension> extensions_; // the Legal part of R·Σ
  std::vector<Word> suffixes_;        // E
  Hypothesis machine_;                // in the order of R; no_state for open transitions
  Hypothesis hypothesis_;             // the last conjecture, canonical
  bool settled_ = false;
};

} // namespace tacit
