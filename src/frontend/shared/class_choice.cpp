#include "frontend/shared/class_choice.h"

#include <algorithm>
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
  if (std::ranges::find(known, wanted) != known.end())
    return {where,
            fmt::format("'{}' is a template: say of what, as in --class '{}<int>'", wanted, wanted),
            {}};
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
  if (hint.empty()) { // perhaps the qualification was left out, too
    std::vector<std::string> simple;
    for (const std::string& name : near) simple.push_back(simple_name(name));
    hint = suggestion(simple_name(wanted), simple);
  }
  return {where, fmt::format("there is no class '{}'{}", wanted, hint), {}};
}

Diagnostic which_class(const Location& where, std::vector<std::string> known) {
  constexpr std::size_t most = 12;
  std::ranges::sort(known);
  const auto rest = std::ranges::unique(known);
  known.erase(rest.begin(), rest.end());
  const auto nested = [](const std::string& name) { return std::ranges::count(name, '$'); };
  std::ranges::stable_sort(known, {}, nested);
  Diagnostic problem{where,
                     known.size() == 1
                         ? "holds a class: name it with --class"
                         : fmt::format("holds {} classes: name one with --class", known.size()),
                     {}};
  for (std::size_t i = 0; i < std::min(known.size(), most); ++i) {
    std::ranges::replace(known[i], '/', '.');
    const bool plain = known[i].find_first_of("$<> ") == std::string::npos;
    problem.notes.push_back(plain ? "--class " + known[i] : "--class '" + known[i] + "'");
  }
  if (known.size() > most) problem.notes.push_back(fmt::format("and {} more", known.size() - most));
  return problem;
}

Diagnostic several_classes(const std::string& wanted, const std::vector<std::string>& found) {
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), most_listed));
  return {{},
          fmt::format("several classes are named '{}': {}{}", wanted,
                      fmt::join(found.begin(), end, ", "), found.size() > most_listed ? ", …" : ""),
          {}};
}

} // namespace tacit
