#include "export/run_text.h"

#include <fmt/ranges.h>

#include "interface/shown_arguments.h"
#include "program/text/read.h"

namespace tacit {

RunText::RunText(const Interface& interface) : words_(interface) {
  if (interface.tir.empty()) return;
  if (auto module = read_module(interface.tir, interface.component_name + ".tir")) {
    module_ = std::move(*module);
    calling_.emplace(interface, *module_);
  }
}

std::string RunText::called(std::string_view call, const std::vector<std::string>& inputs) const {
  if (calling_)
    if (const Procedure* body = calling_->procedure(call))
      return std::string(call) + shown_arguments(*module_, body->parameters, inputs);
  return inputs.empty() ? std::string(call) : fmt::format("{}[{}]", call, fmt::join(inputs, ", "));
}

std::string RunText::steps(const Example& run) const {
  std::vector<std::string> steps;
  for (const ExampleStep& step : run.steps)
    steps.push_back(called(step.call, step.inputs) +
                    (step.outcome.empty() ? "" : ":" + step.outcome));
  return fmt::format("{}", fmt::join(steps, " · "));
}

std::map<std::string, std::string>
RunText::fields(const std::map<std::string, std::string>& all) const {
  std::map<std::string, std::string> shown;
  for (const auto& [name, value] : all)
    if (const std::string field = words_.field(name); !field.empty())
      shown[field] = value.starts_with("ref(") ? "an object" : value;
  return shown;
}

std::string RunText::differing_state(const Disagreement& found) const {
  if (found.errs.steps.size() < 2 || found.works.steps.size() < 2) return "";
  const auto erring = fields(found.errs.steps[found.errs.steps.size() - 2].after),
             working = fields(found.works.steps[found.works.steps.size() - 2].after);
  std::vector<std::string> parts;
  for (const auto& [name, value] : erring) {
    const auto other = working.find(name);
    if (other == working.end() || other->second == value || value.starts_with('{')) continue;
    parts.push_back(parts.empty() ? fmt::format("{} is {} where it errs and {} where it works",
                                                name, value, other->second)
                                  : fmt::format("{} {} and {}", name, value, other->second));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace tacit
