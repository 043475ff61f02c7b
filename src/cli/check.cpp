// tacit check: does a client follow the protocol.
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "cli/commands.h"
#include "cli/component_options.h"
#include "cli/console.h"
#include "cli/files.h"
#include "client/check_client.h"
#include "client/client_report.h"
#include "interface/json.h"
#include "pipeline/output_file.h"
#include "program/text/print.h"
#include "program/text/read.h"

namespace tacit {

namespace {

constexpr std::size_t longest_name = 80;

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

/// One file for each proof, named by the functions that it is about.
Result<void> write_proofs(const std::string& folder, const ClientReport& report) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(Location{folder}, "cannot be made: {}", error.message());
  std::map<std::string, int> used;
  for (const Interface& proof : report.proofs) {
    std::string name;
    for (const char c : proof.client->follow.front().function.substr(0, longest_name))
      name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    if (const int times = ++used[name]; times > 1) name += fmt::format("-{}", times);
    auto written = write_file((std::filesystem::path(folder) / (name + ".json")).string(),
                              [&](std::ostream& out) { out << to_json(proof); });
    if (!written) return written;
  }
  return {};
}

} // namespace

Result<int> run_check(const CommandLine& line) {
  ClientSources sources{.flags = line.after_dashes,
                        .record = line.one("--class").value_or(line.one("--handle").value_or(""))};
  sources.must_end = line.list("--must-end");
  sources.proofs = line.has("--evidence");
  std::vector<std::string> results;
  for (const std::string& file : line.positional)
    (is_result(file) ? results : sources.files).push_back(file);
  if (results.empty() || sources.files.empty())
    return fail("'tacit check' needs a result file and the sources of a client");
  const std::string form = line.one("--as").value_or("text");
  if (form != "text" && form != "sarif" && form != "tir")
    return fail("--as: verdicts are written as text or sarif, not '{}'; tir is what they are about",
                form);
  if (line.has("--evidence") && results.size() > 1) return fail("--evidence: one result at a time");
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
    if (const auto folder = line.one("--evidence"))
      if (auto kept = write_proofs(*folder, *report); !kept) return std::unexpected(kept.error());
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
