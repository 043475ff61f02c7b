// A shortest word to every state, kept as a breadth-first tree: 16 bytes per
// state instead of a word per state.
//
// Among the shortest words, the tree holds the one from the least entry, and
// then the least in the order of letters. The object is independent of the Dfa
// once constructed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "automata/dfa.h"

namespace tacit {

class ShortestWords {
public:
  /// Letters in ascending order.
  explicit ShortestWords(const Dfa& dfa);
  /// Letters in the given order, which has to name each letter exactly once.
  ShortestWords(const Dfa& dfa, std::span<const Letter> order);

  /// Whether some entry reaches the state; the other questions require it.
  bool reachable(State state) const { return nodes_[state].entry != unreached; }

  /// The word that leads from entry entry(state) to the state.
  Word to(State state) const;
  std::size_t length(State state) const { return nodes_[state].length; }
  /// The index of the entry, not its state.
  std::size_t entry(State state) const { return nodes_[state].entry; }

private:
  static constexpr std::uint32_t unreached = UINT32_MAX;

  struct Node {
    State parent = no_state;
    Letter letter = 0;
    std::uint32_t length = 0;
    std::uint32_t entry = unreached;
  };

  std::vector<Node> nodes_;
};

} // namespace tacit
