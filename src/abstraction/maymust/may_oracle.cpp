#include "abstraction/maymust/may_oracle.h"

#include <algorithm>

#include "base/should.h"

namespace tacit {

MayOracle::MayOracle(const ComponentFormulas& formulas, std::vector<Term> predicates,
                     Solver& solver)
    : formulas_(formulas), predicates_(std::move(predicates)), solver_(solver) {
  regions_.emplace_back(); // the empty region
  numbers_[{}] = empty_region;
  if (predicates_.size() > max_predicates)
    failure_ =
        Diagnostic{{}, fmt::format("more than {} predicates would be needed", max_predicates), {}};
}

Region MayOracle::intern(std::vector<Cube> cubes) {
  std::ranges::sort(cubes);
  const auto repeated = std::ranges::unique(cubes);
  cubes.erase(repeated.begin(), repeated.end());
  auto [at, fresh] = numbers_.try_emplace(std::move(cubes), static_cast<Region>(regions_.size()));
  if (fresh) regions_.push_back(at->first);
  return at->second;
}

std::vector<Term> MayOracle::literals(Cube cube) const {
  return cube_literals(formulas_.arena(), predicates_, cube);
}

std::vector<Term> MayOracle::literals(Cube cube, Cube of) const {
  std::vector<Term> some;
  for (std::size_t i = 0; i < predicates_.size(); ++i)
    if (of >> i & 1)
      some.push_back(cube >> i & 1 ? predicates_[i] : formulas_.arena().negate(predicates_[i]));
  return some;
}

const std::vector<StepPart>& MayOracle::parts(std::size_t letter) {
  auto [at, fresh] = parts_.try_emplace(letter);
  if (!fresh) return at->second;
  const StepFormula& step = formulas_.letter(letter, Side::Above);
  AskedStep asked{step.guard, formulas_.facts(), {}};
  for (Term predicate : predicates_) {
    const Term then = substitute(formulas_.arena(), predicate, step.after);
    asked.later.push_back(then == predicate ? nullptr : then);
  }
  return at->second = independent_parts(formulas_.arena(), predicates_, asked);
}

const MayOracle::ErringPart& MayOracle::erring_part(std::size_t call) {
  auto [at, fresh] = erring_parts_.try_emplace(call);
  if (!fresh) return at->second;
  const Term errs = formulas_.call(call, Side::Above).errs;
  std::vector<Term> known;
  for (const StepPart& part :
       independent_parts(formulas_.arena(), predicates_, {errs, formulas_.facts(), {}})) {
    known.push_back(part.known);
    at->second.literals |= part.literals;
  }
  at->second.known = formulas_.arena().conj(std::move(known));
  return at->second;
}

void MayOracle::fail(const char* what) {
  if (!failure_) failure_ = Diagnostic{{}, what + solver_.reason_unknown(), {}};
}

/// The cubes that the state after a step can be in. What the step leaves alone stays as it is.
std::vector<Cube> MayOracle::step(Cube cube, std::size_t letter) {
  std::vector<Cube> found{cube};
  for (const StepPart& part : parts(letter)) {
    const auto here = literals(cube, part.literals);
    auto assumptions = here;
    assumptions.push_back(part.known);
    const auto values = formulas_.answers().valuations(solver_, assumptions, part.later);
    if (!values) {
      fail("the solver could not decide a step: ");
      return {};
    }
    if (values->empty()) {
      if (solver_.check(assumptions) == Truth::Unsat)
        no_step_[letter].learn(cube, literals(cube), solver_);
      return {};
    }
    std::vector<Cube> next;
    for (Cube one : found)
      for (const std::vector<bool>& holds : *values) {
        for (std::size_t i = 0; i < holds.size(); ++i) {
          const Cube bit = Cube{1} << part.changed[i];
          one = holds[i] ? one | bit : one & ~bit;
        }
        next.push_back(one);
      }
    found = std::move(next);
  }
  std::ranges::sort(found);
  return found;
}

bool CubeParts::cover(Cube cube) const {
  return std::ranges::any_of(parts_,
                             [&](const auto& part) { return (cube & part.first) == part.second; });
}

void CubeParts::learn(Cube cube, const std::vector<Term>& literals, Solver& solver) {
  const auto core = solver.core();
  Cube taken = 0;
  for (std::size_t i = 0; i < literals.size(); ++i)
    if (std::ranges::find(core, literals[i]) != core.end()) taken |= Cube{1} << i;
  parts_.emplace_back(taken, cube & taken);
}

Region MayOracle::start(std::size_t constructor) {
  if (auto known = starts_.find(constructor); known != starts_.end()) return known->second;
  if (failure_ || constructor_errs(constructor)) return empty_region;
  const Path path(formulas_, constructor, Side::Above);
  std::vector<Term> later;
  for (Term p : predicates_) later.push_back(path.at_end(p));
  std::vector<Cube> found;
  const auto answer =
      solver_.all_sat(path.conditions(), later, [&](const std::vector<bool>& values) {
        Cube cube = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
          if (values[i]) cube |= Cube{1} << i;
        found.push_back(cube);
        return true;
      });
  if (answer != Enumeration::Complete) fail("the solver could not decide the start: ");
  return starts_[constructor] = intern(std::move(found));
}

bool MayOracle::constructor_errs(std::size_t constructor) {
  Term guard = substitute(formulas_.arena(), formulas_.constructor(constructor, Side::Above).errs,
                          formulas_.initial());
  return solver_.check({formulas_.facts(), guard}) != Truth::Unsat;
}

/// Models show several calls that err at once; when there is no further model, no other one does.
const std::vector<bool>& MayOracle::erring(Cube cube) {
  const std::size_t calls = component().calls().size();
  auto [at, fresh] = errs_.try_emplace(cube);
  std::vector<bool>& errs = at->second;
  if (!fresh) return errs;
  errs.assign(calls, false);
  std::vector<std::size_t> open;
  const auto question = [&](std::size_t c) {
    const ErringPart& part = erring_part(c);
    auto asked = literals(cube, part.literals);
    asked.push_back(part.known);
    return asked;
  };
  const auto learn = [&](std::size_t c, bool may) {
    errs[c] = may;
    formulas_.answers().learn(question(c), may);
  };
  for (std::size_t c = 0; c < calls; ++c) {
    if (is_false(formulas_.call(c, Side::Above).errs) || never_errs_[c].cover(cube)) continue;
    if (const auto known = formulas_.answers().possible(question(c)))
      errs[c] = *known;
    else
      open.push_back(c);
  }
  const auto here = literals(cube);
  auto assumptions = here;
  assumptions.push_back(formulas_.facts());
  const auto ask = [&](const std::vector<std::size_t>& some) {
    std::vector<Term> any;
    for (std::size_t c : some) any.push_back(formulas_.call(c, Side::Above).errs);
    assumptions.push_back(formulas_.arena().disj(std::move(any)));
    const Truth truth = solver_.check(assumptions);
    assumptions.pop_back();
    if (truth == Truth::Unsat)
      for (std::size_t c : some) {
        never_errs_[c].learn(cube, here, solver_);
        learn(c, false);
      }
    return truth;
  };
  while (!open.empty()) {
    const Truth truth = ask(open);
    if (truth == Truth::Unsat) return errs;
    if (truth == Truth::Unknown) break;
    const auto shown = [&](std::size_t c) {
      const auto value = solver_.value(formulas_.call(c, Side::Above).errs);
      return value && value->truth();
    };
    std::vector<std::size_t> rest;
    for (std::size_t c : open) {
      if (shown(c))
        learn(c, true);
      else
        rest.push_back(c);
    }
    if (rest.size() == open.size()) break;
    open = std::move(rest);
  }
  // Not settled together: one by one, and what is not settled then may err.
  for (std::size_t c : open) errs[c] = ask({c}) != Truth::Unsat;
  return errs;
}

bool MayOracle::errs(Region region, std::size_t call) {
  return std::ranges::any_of(std::vector<Cube>(regions_[region]),
                             [&](Cube c) { return erring(c)[call]; });
}

const std::vector<Cube>& MayOracle::post_cubes(Cube cube, std::size_t letter) {
  auto [at, fresh] = posts_.try_emplace({cube, letter});
  const StepFormula& step = formulas_.letter(letter, Side::Above);
  if (fresh && !is_false(step.guard) && !no_step_[letter].cover(cube))
    at->second = this->step(cube, letter);
  return at->second;
}

Region MayOracle::post(Region region, std::size_t letter) {
  std::vector<Cube> all;
  for (Cube c : std::vector<Cube>(regions_[region])) {
    const auto& some = post_cubes(c, letter);
    all.insert(all.end(), some.begin(), some.end());
  }
  return intern(std::move(all));
}

std::optional<ConcreteRun> MayOracle::run_along(std::size_t constructor,
                                                const std::vector<std::size_t>& letters,
                                                std::optional<std::size_t> errs_on) {
  const auto on = [&](Side side) -> std::optional<ConcreteRun> {
    Path path(formulas_, constructor, side);
    for (std::size_t l : letters) path.extend(l);
    auto assumptions = path.conditions();
    if (errs_on) {
      const CallFormulas& last = formulas_.call(*errs_on, side);
      assumptions.push_back(path.at_end(last.errs, &last.body));
    }
    if (solver_.check(assumptions) != Truth::Sat) return std::nullopt;
    return path.run(solver_, errs_on);
  };
  if (auto run = on(Side::Below)) return run;
  // Without a loop that is cut the sides differ in which arguments are surely good: others make a
  // run as well.
  const bool angelic = component().options().arguments == Arguments::Angelic;
  return angelic && !formulas_.has_cuts() ? on(Side::Above) : std::nullopt;
}

std::optional<ConcreteRun> MayOracle::failing_constructor(std::size_t constructor) {
  const Path path = Path::before(formulas_, constructor, Side::Below);
  auto assumptions = path.conditions();
  const CallFormulas& body = formulas_.constructor(constructor, Side::Below);
  assumptions.push_back(path.at_start(body.errs));
  if (solver_.check(assumptions) != Truth::Sat) return std::nullopt;
  return path.run(solver_, std::nullopt);
}

std::optional<ErrorSite> MayOracle::error_site(Region region, std::size_t call) {
  for (Cube c : regions_[region])
    for (const FormulaExit& e : formulas_.call(call, Side::Above).body.exits) {
      if (!e.error) continue;
      auto assumptions = literals(c);
      assumptions.push_back(formulas_.facts());
      assumptions.push_back(e.guard);
      if (solver_.check(assumptions) == Truth::Sat)
        return ErrorSite{e.end->name, e.end->site(), e.end->procedure};
    }
  return std::nullopt;
}

Term MayOracle::formula(const std::vector<Cube>& cubes) const {
  return cover(formulas_.arena(), predicates_, cubes);
}

} // namespace tacit
