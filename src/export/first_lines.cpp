#include "export/first_lines.h"

#include <algorithm>
#include <map>

#include <fmt/ranges.h>

#include "component/candidates.h"
#include "export/guarded_text.h"
#include "export/layout.h"
#include "program/ir/names.h"
#include "program/text/read.h"

namespace tacit {

namespace {

constexpr std::size_t most_calls_named = 6; // calls with one reason
constexpr std::size_t most_reasons = 4;     // for leaving calls out

std::string some(const std::vector<std::string>& names) {
  if (names.size() <= most_calls_named) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, … {} in all",
                     fmt::join(names.begin(), names.begin() + most_calls_named, ", "),
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

namespace {

/// More may be allowed than was found.
bool is_open(Claim claim) { return claim == Claim::Unknown || claim == Claim::Bounded; }

/// What somebody who knows the code would have said, as the options to type.
std::vector<std::string> hints(const Interface& interface) {
  std::vector<std::string> lines;
  if (interface.kind != "interface" || interface.language != "c" || interface.tir.empty())
    return lines;
  const auto module = read_module(interface.tir, interface.component_name + ".tir");
  if (!module) return lines;
  if (const auto makers = constructor_candidates(*module); !makers.empty())
    lines.push_back(fmt::format("perhaps to add: --constructor {}, which {} as if {} made {}",
                                fmt::join(makers, ","), makers.size() == 1 ? "looks" : "look",
                                makers.size() == 1 ? "it" : "they", interface.component_name));
  std::vector<std::string> fields;
  const bool has_handle =
      std::ranges::any_of(interface.verdict.assumptions, [](const std::string& text) {
        return text.starts_with("the handle is not null");
      });
  for (const StateVariable& v : module->state)
    if (v.client && has_handle) fields.push_back(v.shown_name());
  if (!fields.empty())
    lines.push_back(
        fmt::format("perhaps to add: --own {}: its fields stand in a header, so clients "
                    "are taken to write {} themselves",
                    interface.component_name, some(fields)));
  return lines;
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
    lines.push_back((is_open(interface.verdict.permissive) ? "not shown to be allowed anywhere: "
                                                           : "never allowed: ") +
                    some(never));
  const bool refuses = !interface.forbidden.empty() || !interface.guards.empty() ||
                       std::ranges::any_of(interface.initial, [](const InitialState& start) {
                         return !start.when.empty();
                       });
  if (interface.kind == "interface" && !interface.tir.empty() && !interface.states.empty() &&
      !refuses)
    lines.emplace_back("nothing is refused: no sequence of calls reaches an error that counts");
  if (!interface.left_out.empty()) lines.push_back("left out: " + left_out(interface));
  for (const std::string& aside : aside_lines(interface)) lines.push_back("set aside: " + aside);
  for (std::string& hint : hints(interface)) lines.push_back(std::move(hint));
  return lines;
}

} // namespace tacit
