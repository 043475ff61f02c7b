// Letters, words and the table that gives letters their names.
//
// An automaton works on dense letter numbers 0 … n-1; what a letter means to a
// person (a call such as `push(int)`, possibly with its outcome) is known only
// to the Alphabet that the automaton's owner keeps beside it.
//
// Letters are numbered in the order in which they are added, and that order is
// what "lexicographically least" means everywhere in this layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tacit {

using Letter = std::uint32_t;
using Word = std::vector<Letter>;

class Alphabet {
public:
  /// The letter of this name; a new one with the next free number if there is
  /// none yet. Any string is a name, the empty one included.
  Letter add(std::string_view name);

  /// The letter of this name, if it was added before.
  std::optional<Letter> find(std::string_view name) const;

  /// Requires letter < size(). The reference dies with the next add().
  const std::string& name(Letter letter) const { return names_[letter]; }

  std::size_t size() const { return names_.size(); }

  /// The same names under the same numbers.
  friend bool operator==(const Alphabet& a, const Alphabet& b) { return a.names_ == b.names_; }

private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<std::string> names_;
  /// Only ever looked into, never iterated over.
  std::unordered_map<std::string, Letter, Hash, std::equal_to<>> letters_;
};

/// The names of the letters separated by one space; the empty word gives "".
/// Meant for messages: names that contain spaces are not quoted.
std::string to_string(const Alphabet& alphabet, const Word& word);

} // namespace tacit
