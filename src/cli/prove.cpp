// tacit verify --prove: evidence for a protocol that has none, or what is wrong with it.
#include <algorithm>
#include <iostream>
#include <optional>

#include <fmt/ranges.h>

#include "base/interrupt.h"
#include "cli/commands.h"
#include "cli/component_options.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/summary.h"
#include "interface/consistency.h"
#include "interface/intended.h"
#include "pipeline/prove.h"
#include "program/text/read.h"

namespace tacit {
namespace {

constexpr double default_seconds = 60;

/// Options that say what the component is; those of a result count where none is given.
bool says_component(const CommandLine& line) {
  return std::ranges::any_of(std::initializer_list<const char*>{"--arguments", "--blind", "--error",
                                                                "--letter", "--methods",
                                                                "--constructor"},
                             [&](const char* option) { return line.has(option); });
}

/// What a result says of calls, without what it says of proofs: reasons of refusals need not be
/// there, and are not believed.
Result<Interface> load_automaton(const std::string& file) {
  std::vector<std::string> inconsistencies;
  auto result = load_result(file, &inconsistencies);
  if (!result) return result;
  result->forbidden.clear();
  result->omitted = {"words", "examples", "forbidden"};
  if (const auto found = contradictions(*result); !found.empty())
    return fail(Location{file}, "{}", to_string(found.front()));
  return result;
}

Result<ProveRequest> prove_request(const CommandLine& line) {
  const std::string& file = line.positional[0];
  ProveRequest request;
  auto options = component_options(line);
  if (!options) return std::unexpected(options.error());
  request.component = std::move(*options);
  if (line.has("--explain")) request.story = Story(&std::cerr);
  request.sources.assign(line.positional.begin() + 1, line.positional.end());
  if (is_intended_file(file)) {
    auto text = read_file(file);
    if (!text) return std::unexpected(text.error());
    auto read = read_intended(*text, file);
    if (!read) return std::unexpected(read.error());
    request.given = std::move(*read);
    return request;
  }
  auto result = load_automaton(file);
  if (!result) return std::unexpected(result.error());
  if (result->serial) return fail("'{}' was pruned (--serial): what it refuses need not err", file);
  if (!says_component(line)) request.component = result->options;
  request.component.aside.clear(); // what counts is looked at anew
  if (request.sources.empty()) request.sources = result->sources;
  request.given = intended_of(*result);
  if (result->kind == "interface")
    request.result = std::make_shared<const Interface>(std::move(*result));
  return request;
}

/// Of the sources, or of a result that has it in it.
Result<Module> component_text(const CommandLine& line, const ProveRequest& request) {
  CommandLine sources = line;
  sources.positional.erase(sources.positional.begin());
  if (!sources.positional.empty()) return load_module(sources);
  if (!request.result || request.result->tir.empty())
    return fail("'{}' does not say of which component it is: its sources are missing",
                line.positional[0]);
  return read_module(request.result->tir, request.result->component_name + ".tir");
}

std::string in_words(const ShownObjection& objection) {
  std::string text =
      fmt::format("{}: refuted: {}", objection.safe ? "safe" : "permissive", objection.constructor);
  for (const std::string& letter : objection.word) text += " · " + letter;
  text += " " + objection.problem;
  if (!objection.error.empty()) text += fmt::format(" ({}", objection.error);
  if (!objection.error.empty())
    text += objection.at.empty() ? ")" : fmt::format(" at {})", objection.at);
  text += objection.shortest ? "; no shorter word does\n" : "\n";
  if (!objection.run) return text;
  const auto call = [](const std::string& name, const std::vector<std::string>& inputs) {
    return inputs.empty() ? name : fmt::format("{} with {}", name, fmt::join(inputs, ", "));
  };
  text += "  " + call(objection.run->constructor, objection.run->constructor_inputs) + "\n";
  for (const ExampleStep& step : objection.run->steps) {
    text +=
        "  " + call(step.call, step.inputs) + ": " + (step.outcome.empty() ? "errs" : step.outcome);
    std::string after;
    for (const auto& [name, value] : step.after)
      after += fmt::format("{}{} = {}", after.empty() ? ", then " : ", ", name, value);
    text += after + "\n";
  }
  return text;
}

std::string claim_line(const char* name, Claim claim, const Verdict& verdict) {
  const auto why = verdict.details.find(name);
  return fmt::format("{}: {}{}\n", name, to_string(claim),
                     claim == Claim::Proved || why == verdict.details.end() ? ""
                                                                            : ": " + why->second);
}

} // namespace

Result<int> run_prove(const CommandLine& line) {
  if (line.positional.empty())
    return fail("'tacit verify --prove' needs a protocol, and the sources of its component");
  if (line.has("--source")) return fail("--prove and --source do not go together");
  auto seconds = positive_number(line, "--time");
  if (!seconds) return std::unexpected(seconds.error());
  auto request = prove_request(line);
  if (!request) return std::unexpected(request.error());
  auto module = component_text(line, *request);
  if (!module) return std::unexpected(module.error());
  interrupt_on_signals();
  Budget budget(BudgetLimits{.seconds = seconds->value_or(default_seconds)});
  std::optional<ProgressLine> progress;
  progress.emplace(!line.has("--quiet") && !line.has("--explain"), budget);
  request->phase = [&](const std::string& text) { progress->phase(text); };
  auto answer = prove(*module, *request, budget);
  progress.reset();
  if (!answer) return std::unexpected(answer.error());
  std::string text;
  if (!answer->not_spoken.empty())
    text += fmt::format("refused, because the protocol never names them (see --methods): {}\n",
                        fmt::join(answer->not_spoken, ", "));
  if (answer->objection) {
    std::cout << text << painted_words(in_words(*answer->objection));
    return exit_status::finding;
  }
  if (!answer->interface) {
    std::cout << text << painted_words("safe: unknown: " + answer->open + "\n");
    return exit_status::unsettled;
  }
  Interface& result = *answer->interface;
  result.hash = hash_sources(request->sources);
  text += claim_line("safe", result.verdict.safe, result.verdict);
  text += claim_line("permissive", result.verdict.permissive, result.verdict);
  for (const SetAside& site : result.aside)
    text += fmt::format("set aside: {} at {}: {}\n", site.call, site.site, site.because);
  if (!line.has("--quiet")) std::cout << painted_words(text);
  if (line.has("--output"))
    if (auto written = report_result(line, result); !written)
      return std::unexpected(written.error());
  return answer->proved() ? exit_status::done : exit_status::unsettled;
}

} // namespace tacit
