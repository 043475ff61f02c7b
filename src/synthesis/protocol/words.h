// Oracles for learners, made from an oracle over a component: the teacher of papers 001 to 003.
#pragma once

#include <unordered_map>

#include "learning/oracle.h"
#include "oracle/oracle.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {

/// Membership: follows the word from the start region of one constructor.
class ComponentWords : public WordOracle {
public:
  ComponentWords(Oracle& oracle, Region start) : oracle_(oracle), start_(start) {}

  Answer ask(const Word& word) override;

  bool errs(Region region, std::size_t call);
  Region post(Region region, std::size_t letter);

private:
  Oracle& oracle_;
  Region start_;
  std::unordered_map<std::uint64_t, Region> posts_;
  std::unordered_map<std::uint64_t, bool> errs_;
};

/// Equivalence, exact for the oracle: checkSafe and checkPermissive on the product of regions and
/// hypothesis in one search, so that counterexamples are shortest.
class RegionEquivalence : public EquivalenceOracle {
public:
  RegionEquivalence(Oracle& oracle, Region start, Budget& budget)
      : oracle_(oracle), start_(start), budget_(budget) {}

  std::optional<Word> counterexample(const Hypothesis& hypothesis) override;

private:
  Oracle& oracle_;
  Region start_;
  Budget& budget_;
};

/// The same, but symbolic oracles search by sets of states first. That settles every hypothesis in
/// whose states the component's states agree; where they do not, and for oracles that are not
/// symbolic, the search goes by regions.
class ProductEquivalence : public EquivalenceOracle {
public:
  ProductEquivalence(SetOracle& oracle, Region start, ComponentWords& words, Budget& budget)
      : oracle_(oracle), component_(oracle.component()), start_(start), words_(words),
        budget_(budget) {}

  std::optional<Word> counterexample(const Hypothesis& hypothesis) override;

private:
  /// nullopt inside: no counterexample; outside: not decided by sets alone.
  std::optional<std::optional<Word>> by_sets(const Hypothesis& hypothesis);

  SetOracle& oracle_;
  const Component& component_;
  Region start_;
  ComponentWords& words_;
  Budget& budget_;
};

/// Adds what was learned to a protocol; returns its entry there.
State add_hypothesis(Protocol& protocol, const Hypothesis& hypothesis, const Component& component);

/// Letters of one call are one group.
LetterGroups letter_groups(const Component& component);

} // namespace tacit
