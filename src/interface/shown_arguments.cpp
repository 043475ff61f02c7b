#include "interface/shown_arguments.h"

#include <algorithm>
#include <optional>

#include <fmt/ranges.h>

#include "base/integer.h"
#include "interface/conditions.h"
#include "interface/source_words.h"

namespace tacit {

namespace {

/// What facts that were handed in beside a text say of it.
std::optional<std::string> text_behind(const Module& module, const std::string& object,
                                       const std::vector<Variable>& parameters,
                                       const std::vector<std::string>& inputs) {
  constexpr std::string_view texts[] = {"char", "basic_string", "basic_string_view", "String"};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto fact = argument_fact(parameters[i].name());
    if (!fact || fact->object != object ||
        std::ranges::find(texts, fact->record) == std::end(texts))
      continue;
    const auto number = parse_integer(inputs[i]);
    if ((fact->name == "size" || fact->name == "length") && number == 0) return "\"\"";
    if (fact->name == "text")
      for (const auto& [text, its_number] : module.literals)
        if (number == its_number) return "\"" + text + "\"";
  }
  return std::nullopt;
}

} // namespace

std::string shown_arguments(const Module& module, const std::vector<Variable>& parameters,
                            const std::vector<std::string>& inputs) {
  if (parameters.empty() || inputs.size() < parameters.size()) return "";
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i].name();
    if (argument_fact(name)) continue;
    const bool object = inputs[i].starts_with("ref(");
    shown.push_back(object ? text_behind(module, name, parameters, inputs)
                                 .value_or(std::string(source_name(parameters[i].shown_name())))
                           : inputs[i]);
  }
  return fmt::format("({})", fmt::join(shown, ", "));
}

} // namespace tacit
