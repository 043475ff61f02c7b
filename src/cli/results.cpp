// Commands on results: show, verify, replay, diff.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include <fmt/ranges.h>

#include "check/check.h"
#include "cli/as_json.h"
#include "cli/commands.h"
#include "cli/component_options.h"
#include "cli/console.h"
#include "cli/files.h"
#include "client/program_forms.h"
#include "export/html.h"
#include "export/review.h"
#include "export/text.h"
#include "export/written_form.h"
#include "interface/diff.h"
#include "interface/intended.h"
#include "interface/replay.h"
#include "interface/trace.h"
#include "logic/term/parse.h"
#include "program/text/print.h"
#include "program/text/read.h"
#include "scan/site.h"

namespace tacit {
namespace {

Result<void> need_positional(const CommandLine& line, std::size_t count, std::string_view what) {
  if (line.positional.size() == count) return {};
  return fail("'tacit {}' needs {}", line.command, what);
}

} // namespace

Result<int> run_show(const CommandLine& line) {
  if (auto ok = need_positional(line, 1, "one result file"); !ok)
    return std::unexpected(ok.error());
  const std::string name = line.one("--as").value_or("text");
  const WrittenForm* form = find_written_form(name);
  const ProgramForm* program = find_program_form(name);
  if (!form && !program) {
    std::vector<std::string> names;
    for (const WrittenForm& f : written_forms()) names.emplace_back(f.name);
    for (const ProgramForm& f : program_forms()) names.emplace_back(f.name);
    return fail("--as: there is no form '{}'{} (forms: {})", name, suggestion(name, names),
                fmt::join(names, ", "));
  }
  auto result = load_result(line.positional[0]);
  if (!result) return std::unexpected(result.error());
  if (program) {
    const auto text = program->write(*result);
    if (!text) return fail("--as {}: {}", name, text.error().message);
    auto written = write_output(line, [&](std::ostream& out) { out << *text; });
    if (!written) return std::unexpected(written.error());
    return exit_status::done;
  }
  auto written = write_output(line, [&](std::ostream& out) {
    if (name == "review" && !line.has("--output"))
      out << show_review(*result, output_width());
    else if (name != "text" || line.has("--output"))
      form->write(out, *result, {find_source});
    else
      out << painted_words(show_text(
          *result, {.width = output_width(), .all_assumptions = line.has("--assumptions")}));
  });
  if (!written) return std::unexpected(written.error());
  return exit_status::done;
}

namespace {

/// What the sources of a result, lowered again, say about it: nothing when they are what it was
/// made from.
Result<std::vector<Finding>> compare_sources(const CommandLine& line, const Interface& result) {
  CommandLine again = line;
  again.positional.erase(again.positional.begin());
  if (again.positional.empty()) again.positional = result.sources;
  std::vector<Finding> found;
  if (const std::string hash = hash_sources(again.positional);
      !result.hash.empty() && !hash.empty() && hash != result.hash)
    found.push_back({"source", "the files are not those that the result was made from", hash});
  const auto module = load_module(again);
  if (!module) return std::unexpected(module.error());
  if (print_module(*module) != result.tir)
    found.push_back({"source", "they lower to another component than the one in the result", ""});
  return found;
}

} // namespace

Result<int> run_verify(const CommandLine& line) {
  if (line.has("--prove")) return run_prove(line);
  for (const char* option :
       {"--arguments", "--blind", "--error", "--explain", "--letter", "--output"})
    if (line.has(option)) return fail("{}: 'tacit verify' takes it with --prove", option);
  if (!line.after_dashes.empty() && !line.has("--source"))
    return fail("'tacit verify' takes flags after '--' with --source or --prove");
  if (line.positional.empty() || (line.positional.size() > 1 && !line.has("--source")))
    return fail("'tacit verify' needs one result file; sources go with --source");
  auto seconds = positive_number(line, "--time");
  if (!seconds) return std::unexpected(seconds.error());
  std::vector<std::string> inconsistencies;
  auto result = load_result(line.positional[0], &inconsistencies);
  if (!result) return std::unexpected(result.error());
  for (const std::string& text : inconsistencies)
    std::cout << "rejected: consistency: " << text << "\n";
  if (!inconsistencies.empty()) return exit_status::finding;
  Budget budget(BudgetLimits{.seconds = *seconds});
  std::optional<ProgressLine> progress;
  progress.emplace(!line.has("--quiet"), budget);
  progress->phase("checking the evidence");
  auto report = check_evidence(*result, {.budget = &budget});
  progress.reset();
  if (!report) return std::unexpected(report.error());
  for (const InterfacePart& part : result->parts) {
    auto more = check_evidence(part.interface, {.budget = &budget});
    if (!more) return std::unexpected(more.error());
    auto take = [&](std::vector<Finding>& into, const std::vector<Finding>& found) {
      for (Finding f : found) {
        f.obligation = "part '" + part.name + "': " + f.obligation;
        into.push_back(std::move(f));
      }
    };
    take(report->rejected, more->rejected);
    take(report->unknown, more->unknown);
    for (const std::string& what : more->unchecked)
      report->unchecked.push_back(fmt::format("in part '{}', {}", part.name, what));
    report->obligations += more->obligations;
    report->queries += more->queries;
    report->seconds += more->seconds;
  }
  if (line.has("--source")) {
    auto differences = compare_sources(line, *result);
    if (!differences) return std::unexpected(differences.error());
    for (Finding& difference : *differences) report->rejected.push_back(std::move(difference));
  }
  auto show = [](std::string_view how, const Finding& finding) {
    std::cout << painted_words(std::string(how)) << ": " << finding.obligation << ": "
              << finding.message << "\n";
    if (!finding.detail.empty()) std::cout << "    " << finding.detail << "\n";
  };
  for (const Finding& f : report->rejected) show("rejected", f);
  for (const Finding& f : report->unknown) show("unknown", f);
  if (result->client && report->accepted())
    for (const ClientClaim& claim : result->client->follow)
      std::cout << fmt::format("confirmed: {} follows the protocol of {}{}{}\n", claim.function,
                               result->client->protocol,
                               claim.entered.empty() ? "" : " when " + claim.entered,
                               claim.always ? "" : ", in some states of the client");
  if (!line.has("--quiet") && !report->unchecked.empty())
    std::cout << fmt::format("not checked: {}\n", fmt::join(report->unchecked, "; "));
  if (!line.has("--quiet"))
    std::cout << painted_words(fmt::format("{}: {} obligations, {} queries to cvc5, {:.2f} s\n",
                                           report->accepted()         ? "accepted"
                                           : report->rejected.empty() ? "not settled"
                                                                      : "rejected",
                                           report->obligations, report->queries, report->seconds));
  if (!report->rejected.empty()) return exit_status::finding;
  return report->accepted() ? exit_status::done : exit_status::unsettled;
}

namespace {

/// One line per trace, in their order.
Result<int> replay_traces(const CommandLine& line, const Interface& interface) {
  const std::string file = *line.one("--trace");
  const std::string form = line.one("--as").value_or("text");
  if (form != "text" && form != "json")
    return fail("--as: traces are written as text or json, not '{}'", form);
  std::ifstream in(file);
  if (!in) return fail("'{}' cannot be read", file);
  const Walk walk(interface);
  for (const std::string& condition : walk.unreadable())
    std::cerr << "not understood, so unknown: " << condition << "\n";
  bool wrong = false, unknown = false;
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto trace = read_trace(text, file, number);
    if (!trace) return std::unexpected(trace.error());
    const TraceVerdict verdict = follow_trace(walk, *trace);
    wrong |= verdict.refused_at || verdict.impossible_at;
    unknown |= verdict.unknown_at.has_value();
    if (form == "json")
      std::cout << to_json(verdict) << "\n";
    else if (!line.has("--quiet"))
      std::cout << number << ": " << describe(verdict, *trace) << "\n";
  }
  return wrong ? exit_status::finding : unknown ? exit_status::unsettled : exit_status::done;
}

} // namespace

Result<int> run_replay(const CommandLine& line) {
  if (line.positional.empty())
    return fail("'tacit replay' needs a result file and letters, or --trace");
  auto result = load_result(line.positional[0]);
  if (!result) return std::unexpected(result.error());
  if (line.has("--trace")) {
    if (line.positional.size() > 1)
      return fail("'tacit replay' takes letters or --trace, not both");
    return replay_traces(line, *result);
  }
  const std::string form = line.one("--as").value_or("text");
  if (form != "text" && form != "json")
    return fail("--as: a replay is written as text or json, not '{}'", form);
  const std::vector<std::string> letters(line.positional.begin() + 1, line.positional.end());
  auto report = replay_word(*result, letters, line.one("--constructor"));
  if (!report) return std::unexpected(report.error());
  if (form == "json")
    std::cout << replay_json(*report);
  else if (!line.has("--quiet"))
    std::cout << painted_words(print_replay(*result, *report));
  switch (report->end()) {
  case ReplayEnd::Legal: return exit_status::done;
  case ReplayEnd::Unknown: return exit_status::unsettled;
  default: return exit_status::finding;
  }
}

namespace {

/// Two folders that `tacit scan` wrote.
Result<int> diff_scans(const CommandLine& line) {
  if (line.one("--as").value_or("text") != "text")
    return fail("--as: two scans are compared as text");
  auto changes = compare_scans(line.positional[0], line.positional[1]);
  if (!changes) return std::unexpected(changes.error());
  if (!line.has("--quiet") || line.has("--output"))
    if (auto written = write_output(line, [&](std::ostream& out) { out << *changes; }); !written)
      return std::unexpected(written.error());
  return changes->empty() ? exit_status::done : exit_status::finding;
}

} // namespace

namespace {

/// What the first argument, or --intended, says the protocol should be; nullopt when that is
/// another result, of which more can be told.
Result<std::optional<IntendedProtocol>> intended_protocol(const CommandLine& line) {
  if (const auto text = line.one("--intended")) {
    auto read = read_intended_regex(*text, "--intended");
    if (!read) return std::unexpected(read.error());
    return std::move(*read);
  }
  const std::string &first = line.positional[0], &second = line.positional[1];
  const bool two_graphs = first.ends_with(".dot") && second.ends_with(".dot");
  if (is_intended_file(first) && !two_graphs) {
    auto text = read_file(first);
    if (!text) return std::unexpected(text.error());
    auto read = read_intended(*text, first);
    if (!read) return std::unexpected(read.error());
    return std::move(*read);
  }
  std::error_code error;
  if (std::filesystem::is_directory(first, error)) return std::nullopt;
  auto older = load_result(first);
  if (!older) return std::unexpected(older.error());
  if (older->kind != "epa") return std::nullopt;
  auto newer = load_result(second);
  if (!newer) return std::unexpected(newer.error());
  if (newer->kind == "epa") return std::nullopt;
  return intended_of(*older);
}

Result<int> diff_intended(const CommandLine& line, const IntendedProtocol& intended) {
  auto result = load_result(line.positional.back());
  if (!result) return std::unexpected(result.error());
  const std::string form = line.one("--as").value_or("text");
  if (form != "text" && form != "json")
    return fail("--as: what differs from an intention is written as text or json, not '{}'", form);
  const IntendedReport report = compare_with_intended(intended, *result);
  if (!line.has("--quiet") || line.has("--output")) {
    auto written = write_output(line, [&](std::ostream& out) {
      out << (form == "json" ? intended_json(report) : print_intended(report));
    });
    if (!written) return std::unexpected(written.error());
  }
  return report.agrees() ? exit_status::done : exit_status::finding;
}

} // namespace

Result<int> run_diff(const CommandLine& line) {
  if (line.has("--intended")) {
    if (auto ok = need_positional(line, 1, "one result file with --intended"); !ok)
      return std::unexpected(ok.error());
  } else if (auto ok = need_positional(line, 2, "an old and a new result file"); !ok) {
    return std::unexpected(ok.error());
  }
  auto intended = intended_protocol(line);
  if (!intended) return std::unexpected(intended.error());
  if (*intended) return diff_intended(line, **intended);
  std::error_code error;
  if (std::filesystem::is_directory(line.positional[0], error)) return diff_scans(line);
  auto older = load_result(line.positional[0]);
  if (!older) return std::unexpected(older.error());
  auto newer = load_result(line.positional[1]);
  if (!newer) return std::unexpected(newer.error());
  auto report = diff(*older, *newer);
  if (!report) return std::unexpected(report.error());
  const std::string form = line.one("--as").value_or("text");
  if (form != "text" && form != "html" && form != "json")
    return fail("--as: a diff is written as text, html or json, not '{}'", form);
  const bool to_file = line.has("--output");
  if (line.has("--quiet") && !to_file)
    return report->empty() ? exit_status::done : exit_status::finding;
  auto written = write_output(line, [&](std::ostream& out) {
    if (form == "json")
      out << diff_json(*report);
    else if (form == "html")
      write_html_diff(out, *older, *newer, *report, {.sources = find_source});
    else
      out << (to_file ? print_diff(*report) : painted_words(print_diff(*report)));
  });
  if (!written) return std::unexpected(written.error());
  return report->empty() ? exit_status::done : exit_status::finding;
}

} // namespace tacit
