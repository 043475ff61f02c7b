#include "scan/site.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "export/markup.h"
#include "interface/diff.h"
#include "interface/json.h"
#include "pipeline/output_file.h"
#include "program/text/read.h"
#include "scan/scan.h"

namespace tacit {

namespace {

constexpr std::size_t rows_in_summary = 20;

constexpr const char* style = R"(
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --open: #9a6700; --bad: #cf222e; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 .3rem; }
input { font: inherit; padding: .4rem .7rem; width: 22rem; max-width: 100%; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { cursor: pointer; position: sticky; top: 0; background: Canvas; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
.proved { color: var(--good); } .safe, .open { color: var(--open); } .finding { color: var(--bad); }
.soft { opacity: .65; } details { margin-top: 2rem; }
)";

constexpr const char* script = R"(
const table = document.getElementById('all'), rows = () => [...table.tBodies[0].rows];
document.getElementById('find').addEventListener('input', e => {
  const wanted = e.target.value.toLowerCase();
  for (const row of rows()) row.hidden = !row.textContent.toLowerCase().includes(wanted);
});
table.tHead.addEventListener('click', e => {
  const column = e.target.cellIndex;
  if (column === undefined) return;
  const up = e.target.dataset.up = e.target.dataset.up === '1' ? '0' : '1';
  const value = row => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const sorted = rows().sort((a, b) => {
    const x = value(a), y = value(b), n = x - y;
    return (Number.isNaN(n) ? x.localeCompare(y) : n) * (up === '1' ? 1 : -1);
  });
  table.tBodies[0].append(...sorted);
});
)";

int interest(const TaskRecord& r) {
  if (r.has_result() && !r.findings.empty()) return 0;
  const bool several = r.states > 1 || r.tracked > 0 || r.guards > 0;
  switch (r.status) {
  case TaskStatus::Proved: return several ? 1 : 3;
  case TaskStatus::Safe: return several ? 2 : 4;
  case TaskStatus::Open: return 5;
  default: return 6;
  }
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "; ") + line;
  return text;
}

void write_row(std::ostream& out, const TaskRecord& r) {
  const std::string status = to_string(r.status);
  out << "<tr><td><a href=\"pages/" << markup_text(r.id) << ".html\">" << markup_text(r.name)
      << "</a><br><span class=\"soft\">" << markup_text(r.group) << "</span></td><td class=\"n\">"
      << r.states << "</td><td class=\"n\">" << r.calls << "</td><td class=\"" << status << "\">"
      << status << (r.guards + r.tracked > 0 ? ", guarded" : "") << "</td><td>"
      << markup_text(joined(r.errors)) << "</td><td class=\"finding\">"
      << markup_text(joined(r.findings)) << "</td><td class=\"n\">" << r.assumptions
      << "</td><td class=\"n\" data-value=\"" << r.milliseconds << "\">"
      << fmt::format("{:.1f} s", static_cast<double>(r.milliseconds) / 1000) << "</td></tr>\n";
}

void write_index(std::ostream& out, const std::vector<TaskRecord>& records,
                 const std::vector<std::pair<std::string, std::string>>& left) {
  out << "<!doctype html>\n<html lang=\"en\"><head><meta "
         "charset=\"utf-8\"><title>Protocols</title>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>"
      << style << "</style></head><body>\n<h1>Protocols of " << records.size()
      << " components</h1>\n<p>" << markup_text(tally(records))
      << "</p>\n<input id=\"find\" type=\"search\" placeholder=\"find a component, an error, a "
         "finding\">\n<table id=\"all\"><thead><tr><th>component</th><th>states</th><th>calls</th>"
         "<th>strength</th><th>errors</th><th>worth a "
         "look</th><th>assumptions</th><th>time</th></tr>"
         "</thead><tbody>\n";
  for (const TaskRecord& r : records)
    if (r.has_result()) write_row(out, r);
  out << "</tbody></table>\n<details><summary>without a protocol</summary><table><tbody>\n";
  for (const TaskRecord& r : records)
    if (!r.has_result())
      out << "<tr><td>" << markup_text(r.name) << "</td><td>" << to_string(r.status) << "</td><td>"
          << markup_text(r.reason) << "</td></tr>\n";
  for (const auto& [source, why] : left)
    out << "<tr><td>" << markup_text(source) << "</td><td>not scanned</td><td>" << markup_text(why)
        << "</td></tr>\n";
  out << "</tbody></table></details>\n<script>" << script << "</script></body></html>\n";
}

std::string in_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("|\n", at)) != std::string::npos; at += 2)
    text.replace(at, 1, text[at] == '|' ? "\\|" : "  ");
  return text;
}

void write_summary(std::ostream& out, const std::vector<TaskRecord>& records) {
  out << "## Protocols of " << records.size() << " components\n\n"
      << tally(records)
      << "\n\n| component | states | strength | worth a look |\n|---|---|---|---|\n";
  std::size_t shown = 0;
  for (const TaskRecord& r : records) {
    if (!r.has_result() || shown++ == rows_in_summary) break;
    out << "| " << in_cell(r.name) << " | " << r.states << " | " << to_string(r.status) << " | "
        << in_cell(joined(r.findings)) << " |\n";
  }
}

void write_sarif(std::ostream& out, const std::vector<TaskRecord>& records) {
  using Json = nlohmann::ordered_json;
  Json results = Json::array();
  for (const TaskRecord& r : records)
    for (const std::string& finding : r.findings) {
      Json result;
      result["ruleId"] = "protocol";
      result["level"] = "note";
      result["message"]["text"] = r.name + ": " + finding;
      Json place;
      place["physicalLocation"]["artifactLocation"]["uri"] = "results/" + r.id + ".json";
      result["locations"] = Json::array({place});
      results.push_back(std::move(result));
    }
  Json rule;
  rule["id"] = "protocol";
  rule["shortDescription"]["text"] = "Something about a call protocol that is worth a look";
  Json run;
  run["tool"]["driver"]["name"] = "tacit";
  run["tool"]["driver"]["rules"] = Json::array({rule});
  run["results"] = std::move(results);
  Json all;
  all["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  all["version"] = "2.1.0";
  all["runs"] = Json::array({run});
  out << all.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
}

Result<Interface> load(const std::string& folder, const TaskRecord& record) {
  const std::string path = result_path(folder, record.id);
  auto text = read_file(path);
  if (!text) return std::unexpected(text.error());
  return read_interface(*text, path);
}

} // namespace

void rank(std::vector<TaskRecord>& records) {
  std::ranges::stable_sort(records, [](const TaskRecord& a, const TaskRecord& b) {
    const int first = interest(a), second = interest(b);
    return first != second ? first < second : a.states > b.states;
  });
}

std::string tally(const std::vector<TaskRecord>& records) {
  std::map<TaskStatus, std::size_t> counts;
  std::size_t several = 0;
  for (const TaskRecord& r : records) {
    ++counts[r.status];
    if (r.status == TaskStatus::Proved && (r.states > 1 || r.tracked > 0 || r.guards > 0))
      ++several;
  }
  std::string text;
  for (const auto& [status, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(status));
    if (status == TaskStatus::Proved)
      text += fmt::format(" ({} with several states or guards)", several);
  }
  return text;
}

Result<void> write_site(const std::string& folder, std::vector<TaskRecord> records,
                        const std::vector<std::pair<std::string, std::string>>& left) {
  rank(records);
  const std::filesystem::path at(folder);
  auto written = write_file((at / "index.html").string(),
                            [&](std::ostream& out) { write_index(out, records, left); });
  if (written)
    written = write_file((at / "summary.md").string(),
                         [&](std::ostream& out) { write_summary(out, records); });
  if (written)
    written = write_file((at / "findings.sarif").string(),
                         [&](std::ostream& out) { write_sarif(out, records); });
  return written;
}

Result<std::string> compare_scans(const std::string& older, const std::string& newer) {
  auto before = read_records(older);
  if (!before) return std::unexpected(before.error());
  auto after = read_records(newer);
  if (!after) return std::unexpected(after.error());
  std::map<std::string, const TaskRecord*> known;
  for (const TaskRecord& r : *before) known[r.name] = &r;
  std::string text;
  for (const TaskRecord& now : *after) {
    const auto found = known.find(now.name);
    if (found == known.end()) {
      text += fmt::format("{}: new, {}\n", now.name, to_string(now.status));
      continue;
    }
    const TaskRecord& then = *found->second;
    known.erase(found);
    if (then.status != now.status)
      text +=
          fmt::format("{}: {}, was {}\n", now.name, to_string(now.status), to_string(then.status));
    if (!then.has_result() || !now.has_result() || then.key == now.key) continue;
    auto first = load(older, then);
    if (!first) return std::unexpected(first.error());
    auto second = load(newer, now);
    if (!second) return std::unexpected(second.error());
    auto report = diff(*first, *second);
    if (!report) return std::unexpected(report.error());
    if (!report->empty()) text += now.name + ":\n" + print_diff(*report);
  }
  for (const auto& [name, record] : known) text += name + ": gone\n";
  return text;
}

} // namespace tacit
