// tacit check: does a client follow the protocol.
#include <fstream>
#include <iostream>

#include "cli/commands.h"
#include "cli/component_options.h"
#include "cli/console.h"
#include "cli/files.h"
#include "client/check_client.h"
#include "client/client_report.h"
#include "program/text/print.h"
#include "program/text/read.h"

namespace tacit {

namespace {

/// Results come first, all that follows are sources of the client.
bool is_result(const std::string& file) { return file.ends_with(".json"); }

Result<void> use_baseline(const CommandLine& line, const Interface& interface,
                          ClientReport& report) {
  apply_remarks(report);
  if (const auto file = line.one("--baseline")) {
    const auto text = read_file(*file);
    if (!text) return std::unexpected(text.error());
    apply_baseline(interface, report, read_baseline(*text));
  }
  if (const auto file = line.one("--write-baseline")) {
    std::ofstream out(*file);
    out << write_baseline(interface, report);
    if (!out) return fail(Location{*file}, "cannot be written");
  }
  return {};
}

} // namespace

Result<int> run_check(const CommandLine& line) {
  ClientSources sources{.flags = line.after_dashes,
                        .record = line.one("--class").value_or(line.one("--handle").value_or(""))};
  sources.must_end = line.list("--must-end");
  std::vector<std::string> results;
  for (const std::string& file : line.positional)
    (is_result(file) ? results : sources.files).push_back(file);
  if (results.empty() || sources.files.empty())
    return fail("'tacit check' needs a result file and the sources of a client");
  const std::string form = line.one("--as").value_or("text");
  if (form != "text" && form != "sarif" && form != "tir")
    return fail("--as: verdicts are written as text or sarif, not '{}'; tir is what they are about",
                form);
  if (form == "sarif" && results.size() > 1) return fail("--as sarif: one result at a time");
  auto seconds = positive_number(line, "--time");
  if (!seconds) return std::unexpected(seconds.error());
  if (*seconds) sources.seconds = **seconds;
  bool wrong = false, unknown = false;
  for (const std::string& file : results) {
    auto interface = load_result(file);
    if (!interface) return std::unexpected(interface.error());
    if (form == "tir") {
      auto module = joined_module(*interface, sources);
      if (!module) return std::unexpected(module.error());
      auto written = write_output(line, [&](std::ostream& out) { out << print_module(*module); });
      if (!written) return std::unexpected(written.error());
      continue;
    }
    auto report = check_client(*interface, sources);
    if (!report) return std::unexpected(report.error());
    if (auto used = use_baseline(line, *interface, *report); !used)
      return std::unexpected(used.error());
    wrong |= has_violation(*report);
    unknown |= has_unknown(*report);
    auto written = write_output(line, [&](std::ostream& out) {
      if (form == "sarif")
        write_client_sarif(out, *interface, *report);
      else
        write_client_text(out, *interface, *report);
    });
    if (!written) return std::unexpected(written.error());
    if (form == "text" && !line.has("--quiet"))
      for (const std::string& text : report->assumptions) std::cerr << "assumed: " << text << "\n";
  }
  return wrong ? exit_status::finding : unknown ? exit_status::unsettled : exit_status::done;
}

} // namespace tacit
