#include "cli/summary.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "export/layout.h"
#include "export/text.h"

namespace tacit {

std::string summary(const Interface& result) {
  constexpr std::size_t shown = 5, width = 100;
  std::string sentence = verdict_sentence(result);
  constexpr std::string_view none = "0 states";
  if (sentence.starts_with(none)) sentence.replace(0, none.size(), "the interface is empty");
  std::string text = result.component_name + ": " + sentence;
  const auto& assumptions = result.verdict.assumptions;
  if (assumptions.empty()) return text;
  text.back() = ':';
  text += "\n";
  for (std::size_t i = 0; i < std::min(shown, assumptions.size()); ++i)
    text += wrap(assumptions[i], width, "  - ", 4);
  if (assumptions.size() > shown)
    text += fmt::format("  … and {} more, see 'tacit show'\n", assumptions.size() - shown);
  text.pop_back();
  return text;
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
