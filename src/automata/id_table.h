// The hash table behind the products and the subset construction: gives ids to
// things in the order of their first appearance.
//
// The things themselves are kept by the caller, indexed by id; the table holds
// ids only (open addressing, 4 bytes per slot, at most half full). Ids do not
// depend on hash values, so results are deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tacit {

/// Mixes the bits of a number; the finaliser of SplitMix64 (Steele et al. 2014).
inline std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class IdTable {
public:
  using Id = std::uint32_t;

  /// The id for which equal(id) holds; if there is none, the next number, and
  /// the caller has to store the new thing before the next call. `hash_of(id)`
  /// is the hash value of what has been given that id.
  template <class Equal, class HashOf>
  Id find_or_add(std::uint64_t hash, Equal equal, HashOf hash_of) {
    if (size_ * 2 >= slots_.size()) grow(hash_of);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != vacant; at = (at + 1) & (slots_.size() - 1))
      if (equal(slots_[at])) return slots_[at];
    return slots_[at] = size_++;
  }

  /// Ids handed out so far.
  std::size_t size() const { return size_; }

private:
  static constexpr Id vacant = UINT32_MAX;

  template <class HashOf> void grow(HashOf hash_of) {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, vacant);
    for (Id id = 0; id < size_; ++id) {
      std::size_t at = hash_of(id) & (slots_.size() - 1);
      while (slots_[at] != vacant) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = id;
    }
  }

  std::vector<Id> slots_;
  Id size_ = 0;
};

} // namespace tacit
