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
#include "pipeline/output_file.h"
#include "program/text/print.h"

namespace tacit {

Result<int> run_epa(const CommandLine& line) {
  const Timer timer;
  auto request = enabledness_request(line);
  if (!request) return std::unexpected(request.error());
  auto limits = budget_limits(line);
  if (!limits) return std::unexpected(limits.error());
  auto sources = open_sources(line);
  if (!sources) return std::unexpected(sources.error());
  auto module = lower_subject(line, *sources);
  if (!module) return std::unexpected(module.error());
  request->clause_texts = sources->clause_texts(*module);

  interrupt_on_signals();
  Budget budget(*limits);
  std::optional<ProgressLine> progress;
  progress.emplace(!line.has("--quiet") && !line.has("--explain"), budget);
  request->phase = [&](const std::string& text) { progress->phase(text); };
  request->seconds_before = timer.seconds();
  auto answer = abstract_enabledness(*module, *request, budget);
  progress.reset();
  if (!answer) return std::unexpected(answer.error());

  if (const auto path = line.one("--annotate"))
    if (auto written =
            write_file(*path, [&](std::ostream& out) { out << print_module(answer->annotated); });
        !written)
      return std::unexpected(written.error());
  const Interface& result = answer->interface;
  if (auto shown = report_result(line, result); !shown) return std::unexpected(shown.error());
  for (const std::string& text : answer->answers) std::cout << text << "\n";
  if (!line.has("--quiet")) std::cerr << figures(line, result) << "\n";
  return answer->settled ? exit_status::done : exit_status::unsettled;
}

} // namespace tacit
