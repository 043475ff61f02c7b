#include "abstraction/maymust/may_must.h"

#include <algorithm>

#include "logic/solver/simplify.h"

namespace tacit {

std::optional<Term> ErrorGoals::errs(std::size_t call) {
  return known(goals_, call, &ComponentFormulas::surely_errs);
}

std::optional<Term> ErrorGoals::errs_if_at_all(std::size_t call) {
  if (!formulas_.approximate(call)) return errs(call);
  return known(if_at_all_, call, &ComponentFormulas::surely_errs_if_at_all);
}

std::optional<Term> ErrorGoals::known(Goals& goals, std::size_t call,
                                      Result<Term> (ComponentFormulas::*find)(std::size_t)) {
  auto [at, fresh] = goals.try_emplace(call);
  if (fresh) {
    const auto errs = (formulas_.*find)(call);
    if (errs) at->second = simplify(formulas_.arena(), solver_, formulas_.facts(), *errs);
  }
  return at->second;
}

MayMust::MayMust(ComponentFormulas& formulas, ErrorGoals& goals, std::vector<Term> predicates,
                 Solver& solver)
    : formulas_(formulas), goals_(goals), solver_(solver),
      may_(formulas, std::move(predicates), solver) {}

bool MayMust::always_possible(Cube cube, Term goal, std::size_t call) {
  auto assumptions = may_.literals(cube);
  assumptions.push_back(formulas_.facts());
  const BodyFormula& body = formulas_.call(call, Side::Below).body;
  if (body.approximate()) return false;
  const auto mentioned = variables(goal);
  std::vector<Term> choices;
  for (const FormulaInput& input : body.inputs)
    if (std::ranges::count(mentioned, input.variable)) choices.push_back(input.variable);
  if (!choices.empty())
    return solver_.refute_forall_exists(assumptions, goal, choices) == Truth::Unsat;
  assumptions.push_back(formulas_.arena().negate(goal));
  return solver_.check(assumptions) == Truth::Unsat;
}

/// Models show several calls that need not err at once; when there is no further model, all others
/// can.
const std::vector<bool>& MayMust::must_err(Cube cube, const std::vector<bool>& asked) {
  const std::size_t calls = formulas_.component().calls().size();
  auto [at, fresh] = must_errs_.try_emplace(cube);
  auto& [known, errs] = at->second;
  if (fresh) {
    known.assign(calls, false);
    errs.assign(calls, false);
  }
  std::vector<std::pair<std::size_t, Term>> open; // not refuted so far
  for (std::size_t c = 0; c < calls; ++c) {
    if (!asked[c] || known[c]) continue;
    known[c] = true;
    if (always_errs_[c].cover(cube))
      errs[c] = true;
    else if (const auto goal = goals_.errs_if_at_all(c))
      open.push_back({c, *goal});
    else
      errs[c] = may_err(cube)[c] && always_possible(cube, formulas_.call(c, Side::Below).errs, c);
  }
  std::erase_if(open, [](const auto& entry) { return is_false(entry.second); });
  const auto here = may_.literals(cube);
  auto assumptions = here;
  assumptions.push_back(formulas_.facts());
  const auto ask = [&](const std::vector<std::pair<std::size_t, Term>>& some) {
    std::vector<Term> wrong;
    for (const auto& [c, goal] : some) wrong.push_back(formulas_.arena().negate(goal));
    assumptions.push_back(formulas_.arena().disj(std::move(wrong)));
    const Truth truth = solver_.check(assumptions);
    assumptions.pop_back();
    if (truth == Truth::Unsat)
      for (const auto& [c, goal] : some) {
        errs[c] = true;
        always_errs_[c].learn(cube, here, solver_);
      }
    return truth;
  };
  while (!open.empty()) {
    const Truth truth = ask(open);
    if (truth == Truth::Unsat) return errs;
    const std::size_t before = open.size();
    if (truth == Truth::Sat)
      std::erase_if(open, [&](const auto& entry) {
        const auto value = solver_.value(entry.second);
        return !value || !value->truth();
      });
    if (open.size() == before) break;
  }
  // Not settled together: one by one.
  if (open.size() > 1)
    for (const auto& entry : open) ask({entry});
  return errs;
}

bool MayMust::may_err(Region region, std::size_t call) {
  widest_ = std::max(widest_, may_.cubes(region).size());
  return std::ranges::any_of(std::vector<Cube>(may_.cubes(region)),
                             [&](Cube c) { return may_err(c)[call]; });
}

bool MayMust::must_err(Region region, std::size_t call) {
  return region != empty_region && std::ranges::all_of(std::vector<Cube>(may_.cubes(region)),
                                                       [&](Cube c) { return must_err(c)[call]; });
}

bool MayMust::must_happen(Cube cube, std::size_t letter) {
  auto [at, fresh] = happens_.try_emplace({cube, letter}, false);
  if (!fresh) return at->second;
  const StepFormula& step = formulas_.letter(letter, Side::Below);
  if (is_false(step.guard)) return false;
  const std::size_t call = formulas_.component().letter(letter).call;
  const bool happens = !formulas_.approximate(call) && always_possible(cube, step.guard, call);
  if (happens) return happens_[{cube, letter}] = true;
  if (!formulas_.approximate(call)) return false;
  const auto can = formulas_.surely_leads(letter, formulas_.arena().truth());
  if (!can) return false;
  auto assumptions = may_.literals(cube);
  assumptions.push_back(formulas_.facts());
  assumptions.push_back(formulas_.arena().negate(*can));
  return happens_[{cube, letter}] = solver_.check(assumptions) == Truth::Unsat;
}

bool MayMust::must_lead(Cube cube, std::size_t letter, const std::vector<Cube>& into) {
  const std::vector<Cube> all = may_.post_cubes(cube, letter);
  std::vector<Cube> good;
  std::ranges::set_intersection(all, into, std::back_inserter(good));
  if (good.empty()) return false;
  if (good.size() == all.size()) return must_happen(cube, letter);
  const std::size_t call = formulas_.component().letter(letter).call;
  if (formulas_.approximate(call)) return false;
  const StepFormula& step = formulas_.letter(letter, Side::Below);
  TermArena& arena = formulas_.arena();
  return always_possible(
      cube, arena.conj(step.guard, substitute(arena, may_.formula(good), step.after)), call);
}

bool MayMust::must_start(std::size_t constructor, Cube cube) {
  auto [at, fresh] = starts_.try_emplace({constructor, cube}, false);
  if (fresh) {
    const auto starts =
        formulas_.surely_starts(constructor, formulas_.arena().conj(may_.literals(cube)));
    at->second = starts && solver_.check({formulas_.facts(), *starts}) == Truth::Sat;
  }
  return at->second;
}

Region MayMust::region(std::size_t constructor, const std::vector<std::size_t>& letters) {
  Region at = may_.start(constructor);
  for (std::size_t letter : letters) at = may_.post(at, letter);
  return at;
}

bool MayMust::must(const Trace& trace) {
  std::vector<Region> regions{may_.start(trace.constructor)};
  for (std::size_t letter : trace.letters) regions.push_back(may_.post(regions.back(), letter));
  std::vector<Cube> good; // sorted, as regions are
  for (Cube cube : std::vector<Cube>(may_.cubes(regions.back())))
    if (!trace.call || must_err(cube)[*trace.call]) good.push_back(cube);
  for (std::size_t i = trace.letters.size(); i-- > 0 && !good.empty();) {
    std::vector<Cube> before;
    for (Cube cube : std::vector<Cube>(may_.cubes(regions[i])))
      if (must_lead(cube, trace.letters[i], good)) before.push_back(cube);
    good = std::move(before);
  }
  return std::ranges::any_of(good, [&](Cube c) { return must_start(trace.constructor, c); });
}

} // namespace tacit
