#include "cli/summary.h"

#include <algorithm>
#include <iostream>

#include <fmt/ranges.h>

#include "cli/console.h"
#include "cli/files.h"
#include "export/assumptions.h"
#include "export/first_lines.h"
#include "export/layout.h"
#include "export/text.h"
#include "interface/json.h"

namespace tacit {

std::string summary(const Interface& result) {
  constexpr std::size_t shown = 8;
  const std::size_t width = output_width();
  std::string sentence = verdict_sentence(result);
  constexpr std::string_view none = "0 states";
  if (sentence.starts_with(none)) sentence.replace(0, none.size(), "the interface is empty");
  std::string text = result.component_name + ": " + sentence + "\n"; // one line, for scripts
  for (const std::string& line : first_lines(result)) text += wrap(line, width, "  ", 4);
  const auto groups = assumption_groups(result);
  for (std::size_t i = 0; i < std::min(shown, groups.size()); ++i)
    text += wrap(groups[i].text, width, i == 0 ? "  assumed: " : "           ", 13);
  if (groups.size() > shown)
    text += fmt::format("           … and {} more, see 'tacit show'\n", groups.size() - shown);
  text.pop_back();
  return text;
}

namespace {

void drop_times(Interface& result) {
  Statistics kept;
  for (const Statistics::Entry& entry : result.stats)
    if (!entry.key.ends_with("seconds"))
      std::visit([&](const auto& value) { kept.set(entry.key, value); }, entry.value);
  result.stats = std::move(kept);
  for (InterfacePart& part : result.parts) drop_times(part.interface);
}

} // namespace

Result<void> report_result(const CommandLine& line, const Interface& result) {
  if (!line.has("--output")) {
    std::cout << painted_words(show_text(result, {.width = output_width()}));
    return {};
  }
  // Without times, the same run writes the same file.
  Interface timeless = result;
  if (!line.has("--stats")) drop_times(timeless);
  auto written = write_output(line, [&](std::ostream& out) { write_interface(out, timeless); });
  if (!written) return written;
  if (!line.has("--quiet")) std::cout << painted_words(summary(result)) << "\n";
  return {};
}

std::string figures(const CommandLine& line, const Interface& result) {
  auto real = [&](std::string_view key) {
    const Statistics::Value* found = result.stats.find(key);
    const double* value = found ? std::get_if<double>(found) : nullptr;
    return value ? *value : 0.0;
  };
  if (!line.has("--stats"))
    return fmt::format("{} queries, {:.1f} s", result.stats.count("queries"),
                       real("seconds") + real("check_seconds"));
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
