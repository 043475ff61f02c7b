#include "cli/as_json.h"

#include <nlohmann/json.hpp>

#include "component/candidates.h"
#include "logic/term/print.h"
#include "program/text/print.h"

namespace tacit {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) { return json.dump(2) + "\n"; }

Json stop_json(const ReplayStop& stop) {
  static constexpr const char* reasons[] = {"refused", "cannot happen", "unknown"};
  Json json = {{"reason", reasons[static_cast<std::size_t>(stop.reason)]}};
  if (stop.state) json["state"] = *stop.state;
  if (!stop.error.empty()) json["error"] = stop.error;
  if (!stop.at.empty()) json["at"] = stop.at;
  if (!stop.word.empty()) json["word"] = stop.word;
  if (!stop.guard.empty()) json["guard"] = stop.guard;
  return json;
}

Json procedures(const Module& module, ProcedureKind kind) {
  Json all = Json::array();
  for (const Procedure& p : module.procedures) {
    if (p.kind != kind) continue;
    Json parameters = Json::array();
    for (const Variable& v : p.parameters)
      parameters.push_back({{"name", v.name()}, {"type", to_string(v.type)}});
    Json one = {{"name", p.name}, {"parameters", std::move(parameters)}};
    if (p.returns) one["returns"] = to_string(*p.returns);
    all.push_back(std::move(one));
  }
  return all;
}

} // namespace

std::string inspect_json(const Module& module) {
  Json json = {{"name", module.name}, {"language", module.language}, {"state", Json::array()}};
  for (const StateVariable& v : module.state) {
    Json one = {{"name", v.name()}, {"type", to_string(v.type)}};
    if (v.initial) one["initial"] = to_string(v.initial);
    if (v.client) one["client"] = true;
    json["state"].push_back(std::move(one));
  }
  json["constructors"] = procedures(module, ProcedureKind::Constructor);
  json["methods"] = procedures(module, ProcedureKind::Method);
  json["candidates"] = Json::array();
  for (const ErrorCandidate& candidate : error_candidates(module)) {
    Json sites = Json::array();
    for (const Location& site : candidate.sites) sites.push_back(to_string(site));
    json["candidates"].push_back(
        {{"error", candidate.spec}, {"calls", candidate.calls}, {"sites", std::move(sites)}});
  }
  json["opaque"] = procedures(module, ProcedureKind::Extern);
  json["left_out"] = Json::array();
  for (const LeftOut& out : module.left_out)
    json["left_out"].push_back({{"call", out.call}, {"reason", out.reason}});
  json["assumptions"] = module.assumptions;
  return text_of(json);
}

std::string replay_json(const ReplayReport& report) {
  static constexpr const char* ends[] = {"legal", "may be refused", "refused", "cannot happen",
                                         "unknown"};
  Json json = {{"end", ends[static_cast<std::size_t>(report.end())]},
               {"constructors", report.constructors},
               {"start", report.start},
               {"letters", report.letters},
               {"steps", Json::array()}};
  for (const ReplayStop& stop : report.refused_starts)
    json["refused_starts"].push_back(stop_json(stop));
  for (const ReplayStep& step : report.steps) {
    Json one = {{"letter", step.letter}, {"states", step.states}};
    for (const ReplayStop& stop : step.stops) one["stops"].push_back(stop_json(stop));
    if (!step.tracked.empty()) one["tracked"] = step.tracked;
    json["steps"].push_back(std::move(one));
  }
  return text_of(json);
}

std::string diff_json(const DiffReport& report) {
  Json json = {{"equal", report.empty()},
               {"calls_added", report.calls_added},
               {"calls_removed", report.calls_removed},
               {"constructors_added", report.constructors_added},
               {"constructors_removed", report.constructors_removed},
               {"calls", Json::array()},
               {"constructors", Json::array()},
               {"outcomes", Json::array()}};
  for (const CallChange& c : report.calls)
    json["calls"].push_back({{"call", c.call},
                             {"legal", c.allowed_now},
                             {"constructor", c.constructor},
                             {"word", c.word},
                             {"error", c.error},
                             {"at", c.at}});
  for (const ConstructorChange& c : report.constructors)
    json["constructors"].push_back({{"constructor", c.constructor},
                                    {"legal", c.allowed_now},
                                    {"error", c.error},
                                    {"at", c.at}});
  for (const OutcomeChange& c : report.outcomes)
    json["outcomes"].push_back({{"call", c.call},
                                {"outcome", c.outcome},
                                {"possible", c.possible_now},
                                {"constructor", c.constructor},
                                {"word", c.word}});
  if (!report.bounded.empty()) json["bounded"] = report.bounded;
  return text_of(json);
}

std::string intended_json(const IntendedReport& report) {
  Json json = {{"agrees", report.agrees()},
               {"unknown", report.unknown},
               {"not_spoken", report.not_spoken},
               {"differences", Json::array()}};
  for (const IntendedDifference& one : report.differences) {
    const char* kind = one.kind == IntendedDifference::Kind::Refused   ? "refused"
                       : one.kind == IntendedDifference::Kind::Allowed ? "allowed"
                                                                       : "unforeseen";
    json["differences"].push_back({{"kind", kind},
                                   {"call", one.call},
                                   {"constructor", one.constructor},
                                   {"word", one.word},
                                   {"error", one.error},
                                   {"at", one.at}});
  }
  if (!report.bounded.empty()) json["bounded"] = report.bounded;
  return text_of(json);
}

} // namespace tacit
