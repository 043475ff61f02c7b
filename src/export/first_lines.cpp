#include "export/first_lines.h"

#include <algorithm>
#include <map>

#include <fmt/ranges.h>

#include "export/guarded_text.h"
#include "export/layout.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

constexpr std::size_t most_named = 6;   // calls with one reason
constexpr std::size_t most_reasons = 4; // for leaving calls out

std::string some(const std::vector<std::string>& names) {
  if (names.size() <= most_named) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, … {} in all", fmt::join(names.begin(), names.begin() + most_named, ", "),
                     names.size());
}

/// "copy, swap (it takes over the state of another object)".
std::string left_out(const Interface& interface) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const LeftOut& out : interface.left_out) {
    auto known = std::ranges::find(reasons, out.reason,
                                   [](const auto& r) -> const std::string& { return r.first; });
    if (known == reasons.end()) known = reasons.insert(reasons.end(), {out.reason, {}});
    if (std::ranges::find(known->second, out.call) == known->second.end())
      known->second.push_back(out.call);
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(reasons.size(), most_reasons); ++i)
    parts.push_back(fmt::format("{} ({})", some(reasons[i].second), reasons[i].first));
  if (reasons.size() > most_reasons) parts.emplace_back("…");
  return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace

std::vector<std::string> first_lines(const Interface& interface) {
  std::vector<std::string> lines;
  if (!interface.error_sites.empty())
    lines.push_back(fmt::format("errors: {}", fmt::join(error_lines(interface), ", ")));
  if (!interface.not_counted.empty())
    lines.push_back(
        fmt::format("not counted, unless named: {}", fmt::join(interface.not_counted, ", ")));
  if (const auto never = never_names(interface); !never.empty())
    lines.push_back("never allowed: " + some(never));
  const bool refuses = !interface.forbidden.empty() || !interface.guards.empty() ||
                       std::ranges::any_of(interface.initial, [](const InitialState& start) {
                         return !start.when.empty();
                       });
  if (interface.kind == "interface" && !interface.tir.empty() && !interface.states.empty() &&
      !refuses)
    lines.emplace_back("nothing is refused: no sequence of calls reaches an error that counts");
  if (!interface.left_out.empty()) lines.push_back("left out: " + left_out(interface));
  for (const std::string& aside : aside_lines(interface)) lines.push_back("set aside: " + aside);
  return lines;
}

} // namespace tacit
