#include "pipeline/make_component.h"

#include "check/cvc5/solver.h"
#include "pipeline/looked_at.h"
#include "synthesis/game/game.h"

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

namespace {

/// Kinds of errors may be named on suspicion, as long as one of them can happen; a site is meant.
std::string meaningless_error(const Component& component) {
  const auto& unmatched = component.unmatched_errors();
  for (const std::string& text : unmatched)
    if (unmatched.size() == component.options().errors.size() ||
        text.substr(0, text.find("':")).contains('@'))
      return text;
  return "";
}

} // namespace

Result<Component> make_component(const Module& module, const ComponentOptions& options,
                                 bool nothing) {
  auto component = build_component(module, options);
  if (!component) return component;
  if (const std::string error = meaningless_error(*component); !error.empty() && !nothing)
    return std::unexpected(Diagnostic{{}, "--error " + error, candidate_notes(module)});
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

Result<Module> lower_to_predicates(const Module& module, const ComponentOptions& options,
                                   const std::vector<std::string>& predicates) {
  auto component = make_component(module, options);
  if (!component) return std::unexpected(component.error());
  auto given = parse_predicates(*component, &module, predicates);
  if (!given) return std::unexpected(given.error());
  Budget budget;
  auto program = game_program(*component, {.predicates = std::move(*given)}, budget);
  if (!program) return std::unexpected(program.error());
  return std::move(program->module);
}

} // namespace tacit
