#include "cli/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tacit {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string counted(std::size_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

} // namespace

std::string summary(const Interface& result) {
  std::vector<std::string> proved, open;
  auto sort_in = [&](Claim claim, const std::string& word) {
    if (claim == Claim::Proved)
      proved.push_back(word);
    else
      open.push_back(word + " " + to_string(claim));
  };
  sort_in(result.verdict.safe, "safe");
  sort_in(result.verdict.permissive, "permissive");
  sort_in(result.verdict.full, "full");
  std::string text =
      result.component_name + ": " +
      (result.states.empty() ? "the interface is empty" : counted(result.states.size(), "state"));
  if (!proved.empty()) text += ", proved " + joined(proved);
  if (!open.empty()) text += (proved.empty() ? ", " : "; ") + joined(open);
  const std::size_t assumptions = result.verdict.assumptions.size();
  if (assumptions > 0) text += " under " + counted(assumptions, "assumption");
  return text + ".";
}

std::string figures(const Interface& result) {
  auto real = [&](std::string_view key) {
    const Statistics::Value* found = result.stats.find(key);
    const double* value = found ? std::get_if<double>(found) : nullptr;
    return value ? *value : 0.0;
  };
  std::vector<std::string> parts;
  if (result.stats.find("iterations")) {
    parts.push_back(counted(result.predicates.size(), "predicate"));
    parts.push_back(
        counted(static_cast<std::size_t>(result.stats.count("iterations")), "iteration"));
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
