#include "finite/packed.h"

#include <algorithm>
#include <bit>

namespace tacit {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

} // namespace

PackedStates::PackedStates(const std::vector<Slot>& slots) : table_(1024, 0) {
  std::uint32_t word = 0, used = 0;
  for (const Slot& slot : slots) {
    const std::uint32_t bits =
        slot.size == 0 ? 64 : static_cast<std::uint32_t>(std::bit_width(slot.size - 1));
    if (used + bits > 64) {
      ++word;
      used = 0;
    }
    fields_.push_back({word, used, bits, slot.low});
    used += bits;
  }
  words_ = word + 1;
  scratch_.resize(words_);
}

std::size_t PackedStates::hash(const std::uint64_t* words) const {
  std::uint64_t h = 0;
  for (std::size_t i = 0; i < words_; ++i) h = mix(h ^ words[i]) + 0x9e3779b97f4a7c15ull;
  return static_cast<std::size_t>(h);
}

std::uint32_t PackedStates::intern(const Frame& frame) {
  std::ranges::fill(scratch_, 0);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Field& f = fields_[i];
    if (f.bits > 0)
      scratch_[f.word] |= (static_cast<std::uint64_t>(frame[i]) - static_cast<std::uint64_t>(f.low))
                          << f.shift;
  }
  if ((count_ + 1) * 2 > table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash(scratch_.data()) & mask;
  for (; table_[at] != 0; at = (at + 1) & mask)
    if (std::equal(scratch_.begin(), scratch_.end(),
                   data_.begin() + static_cast<std::ptrdiff_t>((table_[at] - 1) * words_)))
      return table_[at] - 1;
  data_.insert(data_.end(), scratch_.begin(), scratch_.end());
  table_[at] = static_cast<std::uint32_t>(++count_);
  return static_cast<std::uint32_t>(count_ - 1);
}

void PackedStates::grow() {
  std::vector<std::uint32_t> bigger(table_.size() * 2, 0);
  const std::size_t mask = bigger.size() - 1;
  for (std::uint32_t id = 0; id < count_; ++id) {
    std::size_t at = hash(data_.data() + std::size_t{id} * words_) & mask;
    while (bigger[at] != 0) at = (at + 1) & mask;
    bigger[at] = id + 1;
  }
  table_ = std::move(bigger);
}

void PackedStates::unpack(std::uint32_t id, Frame& frame) const {
  frame.resize(std::max(frame.size(), fields_.size()));
  const std::uint64_t* words = data_.data() + std::size_t{id} * words_;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Field& f = fields_[i];
    const std::uint64_t mask = f.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.bits) - 1;
    const std::uint64_t raw = f.bits == 0 ? 0 : (words[f.word] >> f.shift) & mask;
    frame[i] = static_cast<std::int64_t>(raw + static_cast<std::uint64_t>(f.low));
  }
}

std::uint32_t SetStore::intern(const std::vector<std::uint32_t>& set) {
  auto hash = [](std::span<const std::uint32_t> s) {
    std::uint64_t h = s.size();
    for (std::uint32_t x : s) h = mix(h ^ x) + 0x9e3779b97f4a7c15ull;
    return static_cast<std::size_t>(h);
  };
  if ((first_.size() + 1) * 2 > table_.size()) {
    std::vector<std::uint32_t> bigger(table_.size() * 2, 0);
    for (std::uint32_t id = 0; id < first_.size(); ++id) {
      std::size_t at = hash(this->at(id)) & (bigger.size() - 1);
      while (bigger[at] != 0) at = (at + 1) & (bigger.size() - 1);
      bigger[at] = id + 1;
    }
    table_ = std::move(bigger);
  }
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash(set) & mask;
  for (; table_[at] != 0; at = (at + 1) & mask)
    if (std::ranges::equal(this->at(table_[at] - 1), set)) return table_[at] - 1;
  first_.push_back(data_.size());
  data_.insert(data_.end(), set.begin(), set.end());
  table_[at] = static_cast<std::uint32_t>(first_.size());
  return static_cast<std::uint32_t>(first_.size() - 1);
}

std::span<const std::uint32_t> SetStore::at(std::uint32_t id) const {
  const std::size_t begin = first_[id],
                    end = id + 1 < first_.size() ? first_[id + 1] : data_.size();
  return std::span(data_).subspan(begin, end - begin);
}

} // namespace tacit
