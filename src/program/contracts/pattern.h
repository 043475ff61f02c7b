// Names in contracts:
//
//   std::(map|set)::%      several names; `%` is the choice made in the first group
//   std::(sequences)::size the members of a group that the file declares
//   std::*_ordering        any text, but not right behind `operator`
//   std::vector<T>::size   T stands for the first template argument of the class
//
// Parentheses without `|` are part of the name: `operator()`, `get(int)`.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace tacit {

struct NamePattern {
  std::string text;                         // without type parameters
  std::vector<std::string> type_parameters; // of the class, or of the function itself
  bool wild = false;                        // has a `*` that stands for any text

  bool matches(std::string_view name) const;
};

/// A name for several choices, which are separated by `|`.
using NameGroups = std::map<std::string, std::string, std::less<>>;

/// One pattern for each choice, in the order written.
Result<std::vector<NamePattern>> expand_pattern(const std::string& text, const Location& where,
                                                const NameGroups& groups = {});

/// The class of a member: before the last `::`, or for `java.util.List.get(int)` before the last
/// dot ahead of the parameters. Empty for a free function.
std::string class_of(std::string_view name);

/// Without template arguments: `std::vector<int>::size` is `std::vector::size`.
std::string without_arguments(std::string_view name);
/// The template arguments of the last part of a name: of `std::map<int, A<b>>`, `int` and `A<b>`.
std::vector<std::string> template_arguments(std::string_view name);

} // namespace tacit
