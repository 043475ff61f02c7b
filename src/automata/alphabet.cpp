#include "automata/alphabet.h"

namespace tacit {

Letter Alphabet::add(std::string_view name) {
  if (auto known = find(name)) return *known;
  Letter letter = static_cast<Letter>(names_.size());
  names_.emplace_back(name);
  letters_.emplace(std::string(name), letter);
  return letter;
}

std::optional<Letter> Alphabet::find(std::string_view name) const {
  auto found = letters_.find(name);
  if (found == letters_.end()) return std::nullopt;
  return found->second;
}

std::string to_string(const Alphabet& alphabet, const Word& word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i > 0) text += ' ';
    text += alphabet.name(word[i]);
  }
  return text;
}

} // namespace tacit
