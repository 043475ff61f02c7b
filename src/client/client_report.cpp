#include "client/client_report.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/ranges.h>

#include "interface/source_words.h"

namespace tacit {

namespace {

constexpr std::string_view remark = "tacit-ignore-next-line:";

/// Lines of sources, read once.
class Quotes {
public:
  /// Empty when the file or the line is not there.
  std::string line(const Location& where, int offset = 0) {
    auto [found, fresh] = files_.try_emplace(where.file);
    if (fresh) {
      std::ifstream in(where.file);
      for (std::string text; std::getline(in, text);) found->second.push_back(text);
    }
    const int index = where.line + offset - 1;
    if (index < 0 || index >= static_cast<int>(found->second.size())) return "";
    return found->second[static_cast<std::size_t>(index)];
  }

  std::string trimmed(const Location& where) {
    const std::string text = line(where);
    const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
  }

private:
  std::map<std::string, std::vector<std::string>> files_;
};

std::string state_text(const Interface& interface, State state) {
  const std::string& label = interface.states[state].label;
  constexpr std::size_t longest = 60;
  return label.empty() || label == "true" || label.size() > longest
             ? fmt::format("state {}", state)
             : fmt::format("state {} ({})", state, label);
}

std::string event_text(const ProgramEvent& event) {
  if (event.kind == ProgramEvent::Kind::Left) return "it ends";
  std::string text = event.call;
  if (!event.outcome.empty() && event.outcome != "any" && event.outcome != "returns")
    text += ":" + event.outcome;
  if (event.to) text += fmt::format("{}→ state {}", text.empty() ? "" : " ", *event.to);
  return text;
}

/// Why the call is refused, in one sentence.
std::string why(const Interface& interface, const FunctionVerdict& verdict) {
  const ProgramEvent& refused = verdict.refused;
  if (refused.kind == ProgramEvent::Kind::Unmade)
    return fmt::format("{} on an object that was not made, or is gone", refused.call);
  if (refused.kind == ProgramEvent::Kind::Left)
    return fmt::format("the object ends in {}, where {} is still wanted",
                       state_text(interface, *refused.from), refused.call);
  std::string text = fmt::format("{} is refused", refused.call);
  if (refused.from) text += " in " + state_text(interface, *refused.from);
  if (!refused.guard.empty())
    text += fmt::format(": it needs {}", SourceWords(interface).condition(refused.guard));
  return text;
}

std::string json(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      made += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20)
      made += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      made += c;
  }
  return made + "\"";
}

std::string sarif_place(const Location& where, const std::string& message = "") {
  std::string uri;
  for (const char c : where.file)
    uri += std::isalnum(static_cast<unsigned char>(c)) || std::string_view("._~/-+").contains(c)
               ? std::string(1, c)
               : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  if (uri.starts_with('/')) uri = "file://" + uri;
  std::string text = fmt::format(
      R"({{"physicalLocation": {{"artifactLocation": {{"uri": {}}}, "region": {{"startLine": {}}}}})",
      json(uri), std::max(1, where.line));
  if (!message.empty()) text += fmt::format(R"(, "message": {{"text": {}}})", json(message));
  return text + "}";
}

std::string sarif_result(const Interface& interface, const FunctionVerdict& verdict) {
  const bool violates = verdict.verdict == Conformance::Violates;
  const std::string message =
      violates ? fmt::format("{}{}", why(interface, verdict),
                             verdict.error.empty() ? "" : "; the component: " + verdict.error)
               : fmt::format("it is not known whether {} follows the protocol: {}",
                             verdict.function, verdict.reason);
  std::string text = fmt::format(
      "    {{\"ruleId\": {}, \"level\": {}, \"message\": {{\"text\": {}}}, \"locations\": [{}]",
      json(violates ? "protocol-violation" : "protocol-unknown"), json(violates ? "error" : "note"),
      json(message), sarif_place(violates ? verdict.at : verdict.where));
  if (violates) {
    std::vector<std::string> steps;
    for (const PathStep& step : verdict.path) {
      std::vector<std::string> events;
      for (const ProgramEvent& event : step.events) events.push_back(event_text(event));
      steps.push_back(
          fmt::format(R"({{"location": {}}})",
                      sarif_place(step.where, fmt::format("{}", fmt::join(events, ", ")))));
    }
    steps.push_back(
        fmt::format(R"({{"location": {}}})", sarif_place(verdict.at, why(interface, verdict))));
    text += fmt::format(",\n     \"codeFlows\": [{{\"threadFlows\": [{{\"locations\": [{}]}}]}}]",
                        fmt::join(steps, ", "));
    text += fmt::format(",\n     \"relatedLocations\": [{}]",
                        sarif_place(verdict.where, "in " + verdict.function));
    text += fmt::format(",\n     \"partialFingerprints\": {{\"tacit/v1\": {}}}",
                        json(fingerprint(interface, verdict)));
  }
  if (!verdict.suppressed.empty())
    text += fmt::format(",\n     \"suppressions\": [{{\"kind\": \"inSource\", \"justification\": "
                        "{}}}]",
                        json(verdict.suppressed));
  return text + "}";
}

} // namespace

void apply_remarks(ClientReport& report) {
  Quotes quotes;
  for (FunctionVerdict& verdict : report.functions) {
    if (verdict.verdict != Conformance::Violates) continue;
    const std::string before = quotes.line(verdict.at, -1);
    const auto at = before.find(remark);
    if (at == std::string::npos) continue;
    const auto reason = before.find_first_not_of(' ', at + remark.size());
    if (reason != std::string::npos) verdict.suppressed = before.substr(reason);
  }
}

std::string fingerprint(const Interface& interface, const FunctionVerdict& verdict) {
  return fmt::format(
      "{}|{}|{}|{}|{}", interface.component_name, verdict.function, verdict.refused.call,
      verdict.refused.from ? fmt::format("{}", *verdict.refused.from) : "-", verdict.refused.guard);
}

std::set<std::string> read_baseline(const std::string& text) {
  std::set<std::string> known;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line[0] != '#') known.insert(line);
  return known;
}

void apply_baseline(const Interface& interface, ClientReport& report,
                    const std::set<std::string>& known) {
  for (FunctionVerdict& verdict : report.functions)
    if (verdict.verdict == Conformance::Violates && verdict.suppressed.empty() &&
        known.contains(fingerprint(interface, verdict)))
      verdict.suppressed = "in the baseline";
}

std::string write_baseline(const Interface& interface, const ClientReport& report) {
  std::string text = "# Violations that are known: component, function, call, state, guard.\n";
  for (const FunctionVerdict& verdict : report.functions)
    if (verdict.verdict == Conformance::Violates) text += fingerprint(interface, verdict) + "\n";
  return text;
}

bool has_violation(const ClientReport& report) {
  return std::ranges::any_of(report.functions, [](const FunctionVerdict& v) {
    return v.verdict == Conformance::Violates && v.suppressed.empty();
  });
}

bool has_unknown(const ClientReport& report) {
  return std::ranges::any_of(
      report.functions, [](const FunctionVerdict& v) { return v.verdict == Conformance::Unknown; });
}

void write_client_text(std::ostream& out, const Interface& interface, const ClientReport& report) {
  Quotes quotes;
  std::size_t follows = 0, violates = 0, unknown = 0;
  for (const FunctionVerdict& verdict : report.functions) {
    switch (verdict.verdict) {
    case Conformance::Follows:
      ++follows;
      out << fmt::format("{}: {} follows the protocol of {}{}\n", to_string(verdict.where),
                         verdict.function, interface.component_name,
                         verdict.when.empty() ? "" : " when " + verdict.when);
      continue;
    case Conformance::Unknown:
      ++unknown;
      out << fmt::format("{}: {}: unknown: {}\n", to_string(verdict.where), verdict.function,
                         verdict.reason);
      continue;
    case Conformance::Violates: break;
    }
    if (!verdict.suppressed.empty()) {
      out << fmt::format("{}: {} violates the protocol, which does not count: {}\n",
                         to_string(verdict.at), verdict.function, verdict.suppressed);
      continue;
    }
    ++violates;
    out << fmt::format("{}: {} violates the protocol of {}: {}\n", to_string(verdict.at),
                       verdict.function, interface.component_name, why(interface, verdict));
    if (!verdict.handed.empty()) out << fmt::format("    {}\n", verdict.handed);
    for (const PathStep& step : verdict.path) {
      std::vector<std::string> events;
      for (const ProgramEvent& event : step.events) events.push_back(event_text(event));
      out << fmt::format("  {:>5} | {}\n", step.where.line, quotes.trimmed(step.where));
      if (!events.empty()) out << fmt::format("        |   {}\n", fmt::join(events, ", "));
    }
    if (verdict.path.empty() || verdict.path.back().where != verdict.at)
      out << fmt::format("  {:>5} | {}\n", verdict.at.line, quotes.trimmed(verdict.at));
    out << "        |   "
        << (verdict.refused.kind == ProgramEvent::Kind::Left ? "too early" : "refused")
        << (verdict.error.empty() ? "" : ": " + verdict.error) << "\n";
    if (verdict.word.size() > 1)
      out << fmt::format("        |   as after {}\n",
                         fmt::join(verdict.word.begin(), verdict.word.end() - 1, " · "));
  }
  out << fmt::format("{} follow, {} violate, {} unknown{}{}\n", follows, violates, unknown,
                     follows > 0 && interface.verdict.safe != Claim::Proved
                         ? " (the interface is not proved safe: what follows it may still err)"
                         : "",
                     violates > 0 && !report.full
                         ? " (the interface is not proved full: a violation may rest on an outcome "
                           "that cannot happen)"
                         : "");
}

void write_client_sarif(std::ostream& out, const Interface& interface, const ClientReport& report) {
  std::vector<std::string> results;
  for (const FunctionVerdict& verdict : report.functions)
    if (verdict.verdict != Conformance::Follows)
      results.push_back(sarif_result(interface, verdict));
  out << R"({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
 "runs": [{"tool": {"driver": {"name": "tacit", "rules": [
    {"id": "protocol-violation", "shortDescription": {"text": "a call that the protocol refuses"}},
    {"id": "protocol-unknown", "shortDescription": {"text": "it could not be decided whether the protocol is followed"}}]}},
   "results": [)"
      << (results.empty() ? "" : "\n") << fmt::format("{}", fmt::join(results, ",\n")) << "]}]}\n";
}

} // namespace tacit
