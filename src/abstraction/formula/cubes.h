// Sets of valuations of predicates.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <vector>

#include "logic/term/term.h"

namespace tacit {

/// More predicates than anybody waits for: an abstraction that has as many is no longer one.
inline constexpr std::size_t max_predicates = 512;

/// A valuation of predicates, or a choice of some: bit i is about predicate i.
class Cube {
public:
  constexpr Cube(std::uint64_t first = 0) : words_{first} {}
  static constexpr Cube only(std::size_t i) {
    Cube one;
    one.set(i, true);
    return one;
  }

  constexpr bool holds(std::size_t i) const { return words_[i / 64] >> i % 64 & 1; }
  constexpr void set(std::size_t i, bool holds) {
    const std::uint64_t bit = std::uint64_t{1} << i % 64;
    words_[i / 64] = holds ? words_[i / 64] | bit : words_[i / 64] & ~bit;
  }
  constexpr std::size_t count() const {
    std::size_t sum = 0;
    for (const std::uint64_t word : words_) sum += static_cast<std::size_t>(std::popcount(word));
    return sum;
  }

  friend constexpr Cube operator&(Cube a, const Cube& b) {
    for (std::size_t i = 0; i < words; ++i) a.words_[i] &= b.words_[i];
    return a;
  }
  friend constexpr Cube operator|(Cube a, const Cube& b) {
    for (std::size_t i = 0; i < words; ++i) a.words_[i] |= b.words_[i];
    return a;
  }
  friend constexpr Cube operator^(Cube a, const Cube& b) {
    for (std::size_t i = 0; i < words; ++i) a.words_[i] ^= b.words_[i];
    return a;
  }
  friend constexpr Cube operator~(Cube a) {
    for (std::uint64_t& word : a.words_) word = ~word;
    return a;
  }
  friend constexpr bool operator==(const Cube&, const Cube&) = default;
  /// As numbers.
  friend constexpr std::strong_ordering operator<=>(const Cube& a, const Cube& b) {
    for (std::size_t i = words; i-- > 0;)
      if (a.words_[i] != b.words_[i]) return a.words_[i] <=> b.words_[i];
    return std::strong_ordering::equal;
  }

private:
  static constexpr std::size_t words = max_predicates / 64;
  std::array<std::uint64_t, words> words_{};
};

std::vector<Term> cube_literals(TermArena& arena, const std::vector<Term>& predicates,
                                const Cube& cube);

/// The union of cubes as a formula. Cubes are merged pairwise where they differ in one predicate:
/// readable, and short enough to be proved again.
Term cover(TermArena& arena, const std::vector<Term>& predicates, const std::vector<Cube>& cubes);

} // namespace tacit
