// Conditions in the words of the source: what its author calls a field and how they ask for it
// (`items_.empty()`, `user_.has_value()`), the texts that numbers stand for, and nothing about
// references to nothing, which nobody can pass.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interface/interface.h"

namespace tacit {

/// The conjuncts of each alternative of a condition, split outside of brackets and quoted names. A
/// conditional at the top binds weaker than the operators: it stays in one piece.
std::vector<std::vector<std::string>> alternatives_of(const std::string& condition);

/// Keeps a reference to the interface, whose text is read once.
class SourceWords {
public:
  explicit SourceWords(const Interface& interface);

  /// "" when it always holds: `this != null`.
  std::string conjunct(const std::string& text) const;
  std::string condition(std::string_view text) const;
  /// A condition on the arguments of a call or constructor: "" when it holds for all that can be
  /// passed, "false" when it holds for none.
  std::string guard(std::string_view call, const std::string& text) const;

private:
  class Writer;

  const Interface& interface_;
  std::map<std::string, std::string> shown_;              // state variables
  std::set<std::string> never_null_;                      // of these, with a place
  std::map<std::string, std::set<std::string>> required_; // references that a call is passed
  std::map<Integer, std::string> literals_;
  bool has_reals_ = false; // floating point numbers are followed
};

} // namespace tacit
