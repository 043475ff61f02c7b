// Conditions in the words of the source: what its author calls a field and how they ask for it
// (`items_.empty()`, `user_.has_value()`), the texts that numbers stand for, and nothing about
// references to nothing, which nobody can pass.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interface/interface.h"

namespace tacit {

/// The conjuncts of each alternative of a condition, split outside of brackets and quoted names. A
/// conditional at the top binds weaker than the operators: it stays in one piece.
std::vector<std::vector<std::string>> alternatives_of(const std::string& condition);

/// `R.size[url]` is the fact `size` of `url`, which is an R.
struct ArgumentFact {
  std::string_view object, name, record;
};

std::optional<ArgumentFact> argument_fact(std::string_view text);

/// Keeps a reference to the interface, whose text is read once.
class SourceWords {
public:
  explicit SourceWords(const Interface& interface);

  /// "" when it always holds: `this != null`.
  std::string conjunct(const std::string& text) const;
  std::string condition(std::string_view text) const;
  /// A variable of the state, or a question to one, as runs name it; "" for a place.
  std::string field(const std::string& name) const;
  /// Of the keys that a set or map has: `items.containsKey`, `items`; "" for other variables.
  std::string key_question(const std::string& name) const;
  std::string keys_owner(const std::string& name) const;
  /// What becomes of them: `items + sku`, `items - sku`, `items := {}`; "" when it is none of
  /// these.
  std::string key_update(const std::string& name, const std::string& value) const;
  /// A condition on the arguments of a call or constructor, and another beside it: "" when they
  /// hold for all that can be passed, "false" when they hold for none.
  std::string guard(std::string_view call, const std::string& text,
                    const std::string& cell = "") const;

  /// Of the state's variables that are enumerations, as conditions write both.
  const std::map<std::string, std::vector<std::string>>& enumerations() const {
    return enumerations_;
  }

private:
  class Writer;

  std::vector<std::vector<std::string>> possible_alternatives(std::string_view call,
                                                              const std::string& text) const;

  const Interface& interface_;
  std::map<std::string, std::string> shown_;              // state variables
  std::set<std::string> state_;                           // their names
  std::set<std::string> never_null_;                      // of these, with a place
  std::map<std::string, std::set<std::string>> required_; // references that a call is passed
  std::map<Integer, std::string> literals_;
  std::set<std::string> nulls_; // enumerators that stand for no object
  std::map<std::string, std::vector<std::string>> enumerations_;
};

} // namespace tacit
