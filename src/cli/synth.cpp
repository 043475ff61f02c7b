#include <algorithm>
#include <iostream>
#include <optional>

#include "base/interrupt.h"
#include "base/timer.h"
#include "cli/commands.h"
#include "cli/component_options.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/requests.h"
#include "cli/summary.h"
#include "pipeline/looked_at.h"
#include "pipeline/synthesise.h"

namespace tacit {

namespace {

/// Without --time or --queries.
constexpr double default_seconds = 60;
constexpr double most_for_loading = 0.6; // of the time

} // namespace

Result<int> run_synth(const CommandLine& line) {
  const Timer timer;
  auto request = synthesis_request(line);
  if (!request) return std::unexpected(request.error());
  auto limits = budget_limits(line);
  if (!limits) return std::unexpected(limits.error());
  if (!limits->seconds && !limits->queries) limits->seconds = default_seconds;
  auto sources = open_sources(line);
  if (!sources) return std::unexpected(sources.error());
  auto module = lower_subject(line, *sources);
  if (!module) return std::unexpected(module.error());

  interrupt_on_signals();
  // Loading counts, but what it has given is worth a look.
  const double most_loading = most_for_loading * limits->seconds.value_or(0);
  Budget budget(*limits, std::min(timer.seconds(), most_loading));
  std::optional<ProgressLine> progress;
  progress.emplace(!line.has("--quiet") && !line.has("--explain"), budget);
  if (progress->shown()) request->story = Story(&progress->story());
  request->phase = [&](const std::string& text) { progress->phase(text); };
  request->seconds_before = timer.seconds();
  auto answer = synthesise(*module, *request, budget);
  progress.reset();
  if (!answer) return std::unexpected(answer.error());

  Interface& result = answer->interface;
  name_helpers(result, sources->helpers());
  result.hash = hash_sources(line.positional);
  if (auto shown = report_result(line, result); !shown) return std::unexpected(shown.error());
  if (!line.has("--quiet")) std::cerr << figures(line, result) << "\n";
  return answer->settled ? exit_status::done : exit_status::unsettled;
}

} // namespace tacit
