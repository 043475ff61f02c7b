// Refinable partition: a partition of 0 … n-1 whose sets are split by marking
// some of their elements; the data structure of Valmari and Lehtinen (STACS
// 2008) under minimise_hopcroft.
//
//     construct ─► mark* ─► split ─► mark* ─► split ─► …
//
// mark() costs O(1), split() the number of marks. A split gives the *smaller*
// part the new number, which is what makes minimisation O(n log n). Sets are
// numbered densely and never empty; numbers stay, only contents shrink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tacit {

class RefinablePartition {
public:
  using Element = std::uint32_t;
  using Set = std::uint32_t;

  /// Elements are together exactly if key(element), a number below `keys`, is
  /// the same. Sets are numbered by ascending key.
  template <class Key> RefinablePartition(std::size_t elements, std::size_t keys, Key key);

  std::size_t sets() const { return sets_.size(); }
  Set set_of(Element element) const { return set_of_[element]; }

  /// Valid until the next mark() or split() of this partition.
  std::span<const Element> members(Set set) const {
    return {elements_.data() + sets_[set].first, sets_[set].past - sets_[set].first};
  }

  /// Requires that the element is not yet marked since the last split().
  void mark(Element element) {
    Range& set = sets_[set_of_[element]];
    if (set.marked == 0) touched_.push_back(set_of_[element]);
    /// Swap the element to the end of the marked front part of its set.
    const std::uint32_t from = place_[element], to = set.first + set.marked++;
    elements_[from] = elements_[to];
    place_[elements_[from]] = from;
    elements_[to] = element;
    place_[element] = to;
  }

  /// Separates marked from unmarked elements in each set, and clears the marks.
  void split() {
    for (; !touched_.empty(); touched_.pop_back()) {
      const Set number = touched_.back();
      Range& set = sets_[number];
      const std::uint32_t border = set.first + set.marked;
      const bool front_is_smaller = set.marked <= set.past - border;
      set.marked = 0;
      if (border == set.past) continue; // all were marked
      const Range part =
          front_is_smaller ? Range{set.first, border, 0} : Range{border, set.past, 0};
      (front_is_smaller ? set.first : set.past) = border;
      for (std::uint32_t i = part.first; i < part.past; ++i)
        set_of_[elements_[i]] = static_cast<Set>(sets_.size());
      sets_.push_back(part); // after the last use of `set`
    }
  }

private:
  struct Range {
    std::uint32_t first, past; // of elements_
    std::uint32_t marked;      // the first so many are marked
  };

  std::vector<Element> elements_;    // set by set
  std::vector<std::uint32_t> place_; // inverse of elements_
  std::vector<Set> set_of_;
  std::vector<Range> sets_;
  std::vector<Set> touched_; // the sets with marks
};

template <class Key>
RefinablePartition::RefinablePartition(std::size_t elements, std::size_t keys, Key key)
    : elements_(elements), place_(elements), set_of_(elements) {
  std::vector<std::uint32_t> past(keys + 1, 0);
  for (Element e = 0; e < elements; ++e) ++past[key(e) + 1];
  for (std::size_t k = 0; k < keys; ++k) past[k + 1] += past[k];
  /// There may be as many sets as elements. Untouched memory costs nothing, a
  /// growing vector would for a moment cost twice its size.
  sets_.reserve(elements);
  std::vector<Set> number(keys);
  for (std::size_t k = 0; k < keys; ++k) {
    number[k] = static_cast<Set>(sets_.size());
    if (past[k] != past[k + 1]) sets_.push_back({past[k], past[k + 1], 0});
  }
  for (Element e = 0; e < elements; ++e) {
    const std::size_t k = key(e);
    place_[e] = past[k]++;
    elements_[place_[e]] = e;
    set_of_[e] = number[k];
  }
}

} // namespace tacit
