#include "cli/summary.h"

#include <algorithm>
#include <iostream>

#include <fmt/ranges.h>

#include "cli/console.h"
#include "cli/files.h"
#include "export/layout.h"
#include "export/text.h"
#include "interface/json.h"

namespace tacit {

namespace {

/// Without " at file:line" at the end.
std::string without_place(const std::string& assumption) {
  const auto at = assumption.rfind(" at ");
  if (at == std::string::npos) return assumption;
  const auto colon = assumption.rfind(':');
  const bool line = colon != std::string::npos && colon > at && colon + 1 < assumption.size() &&
                    assumption.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return line && assumption.find(' ', at + 4) == std::string::npos ? assumption.substr(0, at)
                                                                   : assumption;
}

const std::string& original(const std::vector<std::string>& assumptions, const std::string& kind) {
  return *std::ranges::find_if(assumptions,
                               [&](const std::string& a) { return without_place(a) == kind; });
}

} // namespace

std::string summary(const Interface& result) {
  constexpr std::size_t shown = 8, width = 100;
  std::string sentence = verdict_sentence(result);
  constexpr std::string_view none = "0 states";
  if (sentence.starts_with(none)) sentence.replace(0, none.size(), "the interface is empty");
  std::string text = result.component_name + ": " + sentence;
  const auto& assumptions = result.verdict.assumptions;
  if (assumptions.empty()) return text;
  text.back() = ':';
  text += "\n";
  // Assumptions that differ in the place alone are one kind.
  std::vector<std::pair<std::string, std::size_t>> kinds;
  for (const std::string& assumption : assumptions) {
    const std::string kind = without_place(assumption);
    const auto known = std::ranges::find(kinds, kind, &std::pair<std::string, std::size_t>::first);
    if (known == kinds.end())
      kinds.emplace_back(kind, 1);
    else
      ++known->second;
  }
  std::size_t listed = 0;
  for (std::size_t i = 0; i < std::min(shown, kinds.size()); ++i) {
    const auto& [kind, count] = kinds[i];
    const std::string line = count > 1 ? fmt::format("{} ({} places)", kind, count) : kind;
    text += wrap(count > 1 ? line : original(assumptions, kind), width, "  - ", 4);
    listed += count;
  }
  if (listed < assumptions.size())
    text += fmt::format("  … and {} more, see 'tacit show'\n", assumptions.size() - listed);
  text.pop_back();
  return text;
}

Result<void> report_result(const CommandLine& line, const Interface& result) {
  if (!line.has("--output")) {
    std::cout << painted_words(show_text(result, {}));
    return {};
  }
  auto written = write_output(line, [&](std::ostream& out) { write_interface(out, result); });
  if (!written) return written;
  if (!line.has("--quiet")) std::cout << painted_words(summary(result)) << "\n";
  return {};
}

std::string figures(const Interface& result) {
  auto real = [&](std::string_view key) {
    const Statistics::Value* found = result.stats.find(key);
    const double* value = found ? std::get_if<double>(found) : nullptr;
    return value ? *value : 0.0;
  };
  std::vector<std::string> parts;
  if (result.stats.find("iterations")) {
    parts.push_back(count_of(result.predicates.size(), "predicate"));
    parts.push_back(
        count_of(static_cast<std::size_t>(result.stats.count("iterations")), "iteration"));
  }
  const double seconds = real("seconds"), check = real("check_seconds");
  parts.push_back(fmt::format("{} queries", result.stats.count("queries")));
  if (result.stats.find("solver_seconds") && seconds > 0)
    parts.push_back(
        fmt::format("{:.0f} % of the time in the solver", 100 * real("solver_seconds") / seconds));
  std::string times = fmt::format("synthesis {:.2f} s", seconds);
  if (check > 0) times += fmt::format(", re-check {:.2f} s (ratio {:.1f})", check, seconds / check);
  parts.push_back(std::move(times));
  return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace tacit
