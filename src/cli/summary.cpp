#include "cli/summary.h"

#include <fmt/format.h>

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

} // namespace tacit
