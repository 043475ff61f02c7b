#include "cli/component_options.h"

#include <charconv>
#include <cmath>

#include "check/cvc5/solver.h"

namespace tacit {
namespace {

/// A state and arguments that two letters of one method both take, as text.
Result<std::optional<std::string>> overlap(const Module& module, Term a, Term b) {
  TermArena& arena = *module.arena;
  std::vector<Term> parts{a, b};
  auto fact = [&](const Variable& v) { parts.push_back(range_fact(arena, v.type, v.term)); };
  for (const StateVariable& v : module.state) fact(v);
  for (const Procedure& p : module.procedures)
    for (const Variable& v : p.parameters) fact(v);
  SecondSolver solver;
  TermModel model;
  const Formula formula(arena.conj(std::move(parts)));
  switch (solver.check(formula, &model)) {
  case SecondSolver::Answer::Unsat: return std::optional<std::string>();
  case SecondSolver::Answer::Unknown:
    return fail("it cannot be decided whether two letters overlap");
  case SecondSolver::Answer::Sat: break;
  }
  std::string text;
  for (Term v : variables(std::vector<Term>{a, b}))
    if (auto found = model.find(v); found != model.end())
      text += (text.empty() ? "" : ", ") + v->name + " = " + to_string(found->second, v->sort);
  return std::optional(text);
}

} // namespace

Result<ComponentOptions> component_options(const CommandLine& line) {
  ComponentOptions options;
  options.methods = line.list("--methods");
  options.constructors = line.list("--constructor");
  options.errors = line.all("--error");
  options.letters = line.all("--letter");
  options.assumes = line.all("--assume");
  options.rejects = line.list("--reject");
  options.blind = line.list("--blind");
  options.translated_errors = line.has("--translated-errors");
  auto arguments =
      one_of(line, "--arguments", "demonic", Arguments::Demonic, "angelic", Arguments::Angelic);
  if (!arguments) return std::unexpected(arguments.error());
  options.arguments = *arguments;
  auto integers = one_of(line, "--integers", "math", Integers::Math, "machine", Integers::Machine);
  if (!integers) return std::unexpected(integers.error());
  options.integers = *integers;
  return options;
}

Result<Component> make_component(const Module& module, const ComponentOptions& options) {
  auto component = build_component(module, options);
  if (!component) return component;
  if (const auto& unmatched = component->unmatched_errors(); !unmatched.empty())
    return fail("--error {}", unmatched.front());
  for (const LetterConditions& method : component->letter_conditions())
    for (std::size_t i = 0; i < method.letters.size(); ++i)
      for (std::size_t j = i + 1; j < method.letters.size(); ++j) {
        auto both =
            overlap(component->module(), method.letters[i].second, method.letters[j].second);
        if (!both) return std::unexpected(both.error());
        if (*both)
          return fail("--letter: '{}' and '{}' of '{}' overlap: both take {}",
                      method.letters[i].first, method.letters[j].first, method.method,
                      (*both)->empty() ? "everything" : **both);
      }
  return component;
}

Result<BudgetLimits> budget_limits(const CommandLine& line) {
  auto seconds = positive_number(line, "--time");
  if (!seconds) return std::unexpected(seconds.error());
  auto memory = positive_number(line, "--memory");
  if (!memory) return std::unexpected(memory.error());
  auto queries = positive_number(line, "--queries");
  if (!queries) return std::unexpected(queries.error());
  BudgetLimits limits{.seconds = *seconds};
  if (*memory) limits.memory_bytes = static_cast<std::uint64_t>(**memory * 1024 * 1024);
  if (*queries) limits.queries = static_cast<std::uint64_t>(**queries);
  return limits;
}

Result<std::optional<std::size_t>> worker_count(const CommandLine& line) {
  constexpr double most_workers = 256;
  auto number = positive_number(line, "--workers");
  if (!number) return std::unexpected(number.error());
  if (!*number) return std::optional<std::size_t>();
  const auto whole = static_cast<std::size_t>(**number);
  if (**number > most_workers || static_cast<double>(whole) != **number)
    return fail("--workers is a whole number from 1 to {}", most_workers);
  return std::optional(whole);
}

Result<std::optional<double>> positive_number(const CommandLine& line, std::string_view option) {
  const auto text = line.one(option);
  if (!text) return std::optional<double>();
  double value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || !(value > 0) ||
      !std::isfinite(value) || value > 1e12)
    return fail("{} needs a positive number, not '{}'", option, *text);
  return std::optional(value);
}

} // namespace tacit
