#include "scan/record.h"

#include <array>
#include <nlohmann/json.hpp>

#include "export/review.h"
#include "program/text/read.h"

namespace tacit {

namespace {

constexpr std::array<const char*, 7> status_words = {
    "proved", "safe", "open", "no errors", "not read", "crashed", "out of time"};

constexpr std::size_t most_findings = 3;

} // namespace

std::string to_string(TaskStatus status) { return status_words[static_cast<std::size_t>(status)]; }

TaskRecord record_of(const Interface& interface) {
  TaskRecord record;
  const Verdict& verdict = interface.verdict;
  if (verdict.safe == Claim::Proved)
    record.status = verdict.permissive == Claim::Proved ? TaskStatus::Proved : TaskStatus::Safe;
  // Where no object was found that could be made, nothing was found.
  if (record.status == TaskStatus::Safe && interface.states.empty())
    record.status = TaskStatus::Open;
  record.states = interface.states.size();
  record.calls = interface.calls.size();
  record.tracked = interface.tracked.size();
  record.guards = interface.guards.size();
  record.aside = interface.aside.size();
  record.assumptions = verdict.assumptions.size();
  for (const auto& [error, sites] : interface.error_sites) record.sites += sites;
  record.errors = interface.errors;
  record.findings = likely_defects(interface);
  if (record.findings.size() > most_findings) record.findings.resize(most_findings);
  return record;
}

std::string to_json(const TaskRecord& r) {
  nlohmann::ordered_json json;
  json["name"] = r.name;
  json["id"] = r.id;
  json["group"] = r.group;
  json["stamp"] = r.stamp;
  json["key"] = r.key;
  json["status"] = to_string(r.status);
  json["reason"] = r.reason;
  json["states"] = r.states;
  json["calls"] = r.calls;
  json["tracked"] = r.tracked;
  json["guards"] = r.guards;
  json["sites"] = r.sites;
  json["aside"] = r.aside;
  json["assumptions"] = r.assumptions;
  json["errors"] = r.errors;
  json["findings"] = r.findings;
  json["milliseconds"] = r.milliseconds;
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<TaskRecord> read_record(const std::string& path) {
  auto text = read_file(path);
  if (!text) return std::unexpected(text.error());
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  try {
    TaskRecord r;
    const std::string status = json.at("status");
    const auto word = std::ranges::find(status_words, status);
    if (word == status_words.end()) return fail(Location{path}, "there is no status '{}'", status);
    r.status = static_cast<TaskStatus>(word - status_words.begin());
    r.name = json.at("name");
    r.id = json.at("id");
    r.group = json.at("group");
    r.stamp = json.at("stamp");
    r.key = json.at("key");
    r.reason = json.at("reason");
    r.states = json.at("states");
    r.calls = json.at("calls");
    r.tracked = json.at("tracked");
    r.guards = json.at("guards");
    r.sites = json.at("sites");
    r.aside = json.at("aside");
    r.assumptions = json.at("assumptions");
    r.errors = json.at("errors");
    r.findings = json.at("findings");
    r.milliseconds = json.at("milliseconds");
    return r;
  } catch (const nlohmann::json::exception& wrong) {
    return fail(Location{path}, "this is no record of a scan: {}", wrong.what());
  }
}

} // namespace tacit
