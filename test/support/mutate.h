// Results with one thing changed, for testing the checker of evidence: labels, transitions,
// refusals, start states, must-nodes, words, runs, claims. Whether a mutant is still right is for
// others to say (evidence_judge.h).
#pragma once

#include <optional>
#include <random>
#include <string>

#include "interface/interface.h"

namespace tacit {

struct Mutant {
  Interface result;
  std::string change;
};

/// How many kinds of mutation there are; `mutate` takes the kind so that a test can go through all
/// of them.
std::size_t mutation_kinds();

/// nullopt when this kind of mutation finds nothing to change in the result.
std::optional<Mutant> mutate(const Interface& original, const Component& component,
                             std::size_t kind, std::mt19937_64& random);

} // namespace tacit
