// What the solver has said of the valuations of terms under assumptions. A question is its terms,
// so an answer holds as long as the terms do: abstractions that follow one another ask much the
// same.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "logic/solver/solver.h"

namespace tacit {

class Answers {
public:
  using Valuations = std::vector<std::vector<bool>>;

  /// All valuations of `asked` that some state with the assumptions has; nothing when the solver
  /// does not know, which is not kept.
  std::optional<Valuations> valuations(Solver& solver, const std::vector<Term>& assumptions,
                                       const std::vector<Term>& asked);

  /// Whether the assumptions can hold together, where that was learnt.
  std::optional<bool> possible(const std::vector<Term>& assumptions) const;
  void learn(const std::vector<Term>& assumptions, bool possible);

private:
  struct Hash {
    std::size_t operator()(const std::vector<Term>& terms) const;
  };
  std::unordered_map<std::vector<Term>, Valuations, Hash> known_; // assumptions, null, asked
};

} // namespace tacit
