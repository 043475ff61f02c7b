#include "synthesis/protocol/engine.h"

#include <algorithm>

#include <fmt/format.h>

namespace tacit {
namespace {

/// What a number stands for in a limit: `before` it and `after` it.
void replace_number(std::string& text, std::string_view before, std::string_view after,
                    const std::string& by) {
  std::size_t at = 0;
  while ((at = text.find(before, at)) != std::string::npos) {
    at += before.size();
    if (const auto end = text.find(after, at); end != std::string::npos)
      text.replace(at, end - at, by);
  }
}

} // namespace

Synthesis in_terms_of(const Budget& budget, Synthesis result) {
  const BudgetLimits& limits = budget.limits();
  for (auto& [claim, why] : result.interface.verdict.details) {
    if (!why.contains("the budget ran out: ")) continue;
    if (limits.seconds)
      replace_number(why, "time limit of ", " s", fmt::format("{}", *limits.seconds));
    if (limits.queries)
      replace_number(why, ": limit of ", " solver", fmt::format("{}", *limits.queries));
  }
  return result;
}

bool ran_out(const Synthesis& result) {
  return std::ranges::any_of(result.interface.verdict.details, [](const auto& detail) {
    return detail.second.contains("the budget ran out: ");
  });
}

} // namespace tacit
