#include "frontend/shared/class_choice.h"

#include <cstdlib>

#include <fmt/ranges.h>

#include "logic/term/parse.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

/// The edit distance is dear: of many names only those of about the same length count.
constexpr std::size_t many_names = 2000;
constexpr std::ptrdiff_t length_difference = 3;
constexpr std::size_t most_suggested = 3, most_listed = 5;

} // namespace

ClassFit class_fit(std::string_view wanted, std::string_view name) {
  const std::string a = with_dots(wanted), b = with_dots(name);
  if (a == b) return ClassFit::Full;
  return b.ends_with("." + a) ? ClassFit::Last : ClassFit::None;
}

Diagnostic no_class(const Location& where, const std::string& wanted,
                    const std::vector<std::string>& known) {
  std::vector<std::string> near, same;
  for (const std::string& name : known) {
    const auto a = static_cast<std::ptrdiff_t>(name.size()),
               b = static_cast<std::ptrdiff_t>(wanted.size());
    if (known.size() <= many_names || std::abs(a - b) <= length_difference) near.push_back(name);
    if (same.size() < most_suggested && simple_name(name) == simple_name(wanted))
      same.push_back(fmt::format("'{}'", name));
  }
  std::string hint = suggestion(wanted, near);
  if (hint.empty() && !same.empty())
    hint = fmt::format("; did you mean {}?", fmt::join(same, " or "));
  return {where, fmt::format("there is no class '{}'{}", wanted, hint), {}};
}

Diagnostic several_classes(const std::string& wanted, const std::vector<std::string>& found) {
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), most_listed));
  return {{},
          fmt::format("several classes are named '{}': {}{}", wanted,
                      fmt::join(found.begin(), end, ", "), found.size() > most_listed ? ", …" : ""),
          {}};
}

} // namespace tacit
