#include "cli/summary.h"

#include <algorithm>

#include <fmt/format.h>

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

} // namespace tacit
