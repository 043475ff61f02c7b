#include "export/epa_text.h"

#include <algorithm>

#include <fmt/ranges.h>

namespace tacit {

std::string what_it_is(const Interface& interface) {
  return interface.kind == "epa" ? "enabledness abstraction" : "call protocol";
}

std::vector<std::string> clause_lines(const Interface& interface) {
  std::vector<std::string> lines;
  if (!interface.epa) return lines;
  for (const EpaAbout::Clause& clause : interface.epa->clauses) {
    std::string text = interface.calls[clause.call].name + ": " + clause.enabled;
    if (clause.from == "mined") text += " (mined)";
    if (clause.splitting == "by choice")
      text +=
          fmt::format(", from {}, by {}", clause.requires_text, fmt::join(clause.choices, " or "));
    else if (clause.splitting == "approximated")
      text += ", approximated: " + clause.requires_text + " could not be split";
    lines.push_back(std::move(text));
  }
  lines.push_back(
      fmt::format("invariant: {} ({})", interface.epa->invariant, interface.epa->invariant_from));
  return lines;
}

std::vector<std::string> remark_lines(const Interface& interface) {
  std::vector<std::string> lines;
  if (interface.epa)
    for (const EpaAbout::Remark& remark : interface.epa->findings)
      lines.push_back(remark.kind + ": " + remark.text);
  return lines;
}

std::vector<std::string> mark_lines(const Interface& interface) {
  std::vector<std::string> lines;
  if (std::ranges::any_of(interface.transitions, &InterfaceTransition::uncertain))
    lines.emplace_back("?: uncertain, neither shown nor refuted; all others are certain");
  if (std::ranges::any_of(interface.transitions, &InterfaceTransition::may_break))
    lines.emplace_back("*: the invariant may not hold after the step");
  return lines;
}

} // namespace tacit
