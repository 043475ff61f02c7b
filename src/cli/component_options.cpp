#include "cli/component_options.h"

#include <charconv>
#include <cmath>

namespace tacit {

Result<ComponentOptions> component_options(const CommandLine& line) {
  ComponentOptions options;
  options.methods = line.list("--methods");
  options.constructors = line.list("--constructor");
  options.errors = line.all("--error");
  options.letters = line.all("--letter");
  options.assumes = line.all("--assume");
  options.rejects = line.list("--reject");
  options.blind = line.list("--blind");
  options.translated_errors = line.has("--translated-errors");
  // Pruning takes whole calls away.
  const std::string arguments =
      line.one("--arguments").value_or(line.has("--serial") ? "demonic" : "guarded");
  if (arguments == "guarded" && line.has("--serial"))
    return fail("--serial prunes whole calls: it goes with --arguments demonic or angelic");
  if (arguments == "guarded")
    options.arguments = Arguments::Guarded;
  else if (arguments == "demonic")
    options.arguments = Arguments::Demonic;
  else if (arguments == "angelic")
    options.arguments = Arguments::Angelic;
  else
    return fail("--arguments is 'guarded', 'demonic' or 'angelic', not '{}'", arguments);
  auto integers = one_of(line, "--integers", "math", Integers::Math, "machine", Integers::Machine);
  if (!integers) return std::unexpected(integers.error());
  options.integers = *integers;
  return options;
}

Result<BudgetLimits> budget_limits(const CommandLine& line) {
  auto seconds = positive_number(line, "--time");
  if (!seconds) return std::unexpected(seconds.error());
  auto memory = positive_number(line, "--memory");
  if (!memory) return std::unexpected(memory.error());
  auto queries = positive_number(line, "--queries");
  if (!queries) return std::unexpected(queries.error());
  BudgetLimits limits{.seconds = *seconds};
  if (*memory) limits.memory_bytes = static_cast<std::uint64_t>(**memory * 1024 * 1024);
  if (*queries) limits.queries = static_cast<std::uint64_t>(**queries);
  return limits;
}

Result<std::optional<std::size_t>> worker_count(const CommandLine& line) {
  constexpr double most_workers = 256;
  auto number = positive_number(line, "--workers");
  if (!number) return std::unexpected(number.error());
  if (!*number) return std::optional<std::size_t>();
  const auto whole = static_cast<std::size_t>(**number);
  if (**number > most_workers || static_cast<double>(whole) != **number)
    return fail("--workers is a whole number from 1 to {}", most_workers);
  return std::optional(whole);
}

Result<std::optional<double>> positive_number(const CommandLine& line, std::string_view option) {
  const auto text = line.one(option);
  if (!text) return std::optional<double>();
  double value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || !(value > 0) ||
      !std::isfinite(value) || value > 1e12)
    return fail("{} needs a positive number, not '{}'", option, *text);
  return std::optional(value);
}

} // namespace tacit
