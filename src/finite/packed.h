// Stores for many small keys: states packed into machine words, and sets of state numbers, each
// interned by hashing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "finite/compiled.h"

namespace tacit {

/// Interns frames; the numbers are dense and in order of first appearance.
class PackedStates {
public:
  explicit PackedStates(const std::vector<Slot>& slots);

  /// Only the leading slots of the frame are looked at.
  std::uint32_t intern(const Frame& frame);
  void unpack(std::uint32_t id, Frame& frame) const;
  std::size_t size() const { return count_; }

private:
  struct Field {
    std::uint32_t word = 0, shift = 0, bits = 0;
    std::int64_t low = 0;
  };
  std::size_t hash(const std::uint64_t* words) const;
  void grow();

  std::vector<Field> fields_;
  std::size_t words_ = 1;
  std::size_t count_ = 0;
  std::vector<std::uint64_t> data_;
  std::vector<std::uint32_t> table_; // id + 1, 0 empty
  std::vector<std::uint64_t> scratch_;
};

/// Interns sorted sets of two or more numbers.
class SetStore {
public:
  SetStore() : table_(64, 0) {}
  std::uint32_t intern(const std::vector<std::uint32_t>& set);
  std::span<const std::uint32_t> at(std::uint32_t id) const;
  std::size_t size() const { return first_.size(); }

private:
  std::vector<std::uint64_t> first_;
  std::vector<std::uint32_t> data_;
  std::vector<std::uint32_t> table_;
};

} // namespace tacit
