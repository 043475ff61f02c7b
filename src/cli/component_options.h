// What several commands read from the command line.
#pragma once

#include "base/budget.h"
#include "cli/arguments.h"
#include "component/component.h"

namespace tacit {

Result<ComponentOptions> component_options(const CommandLine& line);

/// The value of an option that has two, the first being the default.
template <class Value>
Result<Value> one_of(const CommandLine& line, std::string_view option, std::string_view first,
                     Value first_value, std::string_view second, Value second_value) {
  const auto text = line.one(option);
  if (!text || *text == first) return first_value;
  if (*text == second) return second_value;
  return fail("{} is '{}' or '{}', not '{}'", option, first, second, *text);
}

/// --time, --memory and --queries.
Result<BudgetLimits> budget_limits(const CommandLine& line);

/// --workers.
Result<std::optional<std::size_t>> worker_count(const CommandLine& line);

/// A number of seconds or mebibytes.
Result<std::optional<double>> positive_number(const CommandLine& line, std::string_view option);

} // namespace tacit
