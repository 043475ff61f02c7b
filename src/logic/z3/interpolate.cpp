#include "logic/z3/interpolate.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include <z3++.h>

#include "base/timer.h"
#include "logic/solver/simplify.h"
#include "logic/z3/back.h"
#include "logic/z3/engine.h"
#include "logic/z3/interrupter.h"
#include "logic/z3/translation.h"
#include "logic/z3/z3_solver.h"

namespace tacit {

namespace {

constexpr std::uint32_t effort_factor = 5;

/// The constants of an expression that stand for something unknown.
void collect_constants(const z3::expr& root, std::vector<z3::expr>& found,
                       std::unordered_set<unsigned>& seen) {
  std::vector<z3::expr> stack{root};
  while (!stack.empty()) {
    const z3::expr part = stack.back();
    stack.pop_back();
    if (!part.is_app() || !seen.insert(part.id()).second) continue;
    if (part.is_const() && part.decl().decl_kind() == Z3_OP_UNINTERPRETED) found.push_back(part);
    for (unsigned i = 0; i < part.num_args(); ++i) stack.push_back(part.arg(i));
  }
}

/// For the cut before formula i: the variables that occur on both sides of it.
std::vector<std::vector<Term>> shared_variables(std::span<const Term> formulas) {
  std::vector<std::vector<Term>> shared;
  for (std::size_t i = 1; i < formulas.size(); ++i) {
    const std::vector<Term> before = variables(formulas.first(i));
    const std::vector<Term> after = variables(formulas.subspan(i));
    shared.emplace_back();
    std::ranges::set_intersection(before, after, std::back_inserter(shared.back()), TermById{});
  }
  return shared;
}

} // namespace

class Interpolator::Session {
public:
  explicit Session(const SolverOptions& options) : options_(options), translation_(context_) {
    options_.log = nullptr;
    checker_ = make_z3_solver(options_);
    limit_ = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(std::uint64_t{effort_factor} * options_.rlimit, UINT32_MAX - 1));
    // The Horn solver knows no limit of its own and takes the context's.
    Z3_update_param_value(context_, "rlimit", std::to_string(limit_).c_str());
  }

  Result<std::vector<Term>> sequence(TermArena& arena, std::span<const Term> formulas) {
    if (options_.budget && options_.budget->exhausted())
      return fail("{}", options_.budget->reason());
    try {
      auto found = through_core(arena, formulas);
      if (!found) return found;
      if (auto problem = refute(arena, formulas, *found)) return std::unexpected(*problem);
      return found;
    } catch (const z3::exception& problem) {
      return fail("interpolation failed: {}", explain_unknown(problem.msg(), limit_));
    }
  }

  const SolverStatistics& statistics() {
    total_ = own_;
    const SolverStatistics& checks = checker_->statistics();
    total_.queries += checks.queries;
    total_.sat += checks.sat;
    total_.unsat += checks.unsat;
    total_.unknown += checks.unknown;
    total_.retries += checks.retries;
    total_.literals += checks.literals;
    total_.flushes += checks.flushes;
    total_.seconds += checks.seconds;
    return total_;
  }

private:
  /// Only formulas that the contradiction needs go to the Horn solver. Cuts between two of them
  /// share an interpolant; before the first it is true, after the last false.
  Result<std::vector<Term>> through_core(TermArena& arena, std::span<const Term> formulas) {
    switch (checker_->check(formulas)) {
    case Truth::Sat: return fail("the formulas are not contradictory");
    case Truth::Unknown: return fail("{}", checker_->reason_unknown());
    case Truth::Unsat: break;
    }
    const std::vector<Term> core = minimise_core(*checker_, checker_->core());
    std::vector<Term> needed;
    std::vector<std::size_t> needed_before{0}; // of each formula
    for (Term formula : formulas) {
      if (std::ranges::count(core, formula) > 0 && std::ranges::count(needed, formula) == 0)
        needed.push_back(formula);
      needed_before.push_back(needed.size());
    }
    auto found = needed.size() > 1 ? solve(arena, needed) : std::vector<Term>{};
    if (!found) return found;
    std::vector<Term> all;
    for (std::size_t i = 1; i < formulas.size(); ++i) {
      const std::size_t before = needed_before[i];
      all.push_back(before == 0               ? arena.truth()
                    : before == needed.size() ? arena.falsehood()
                                              : (*found)[before - 1]);
    }
    return all;
  }

  Result<std::vector<Term>> solve(TermArena& arena, std::span<const Term> formulas) {
    z3::fixedpoint horn(context_);
    z3::params parameters(context_);
    parameters.set("engine", context_.str_symbol("spacer"));
    parameters.set("ctrl_c", false);
    parameters.set("xform.inline_eager", false);
    parameters.set("xform.inline_linear", false);
    parameters.set("xform.slice", false);
    parameters.set("spacer.q3", false); // no quantified lemmas
    horn.set(parameters);

    const auto shared = shared_variables(formulas);
    std::vector<z3::func_decl> relations;
    std::vector<z3::expr_vector> arguments;
    const auto declare = [&](const z3::sort_vector& sorts) {
      const std::string name = "cut|" + std::to_string(relation_count_++);
      relations.push_back(context_.function(name.c_str(), sorts, context_.bool_sort()));
      horn.register_relation(relations.back());
    };
    for (const std::vector<Term>& cut : shared) {
      arguments.emplace_back(context_);
      z3::sort_vector sorts(context_);
      for (Term variable : cut) {
        arguments.back().push_back(translation_.of(variable).expr);
        sorts.push_back(arguments.back().back().get_sort());
      }
      declare(sorts);
    }
    arguments.emplace_back(context_);
    declare(z3::sort_vector(context_)); // the end of the trace

    for (std::size_t i = 0; i < formulas.size(); ++i) {
      z3::expr body = with_facts(formulas[i], i > 0 ? shared[i - 1] : std::vector<Term>{});
      if (i > 0) body = relations[i - 1](arguments[i - 1]) && body;
      add_rule(horn, body, relations[i](arguments[i]));
    }
    z3::expr end = relations.back()(arguments.back());
    const Timer timer;
    ++own_.queries;
    if (options_.budget) options_.budget->count_query();
    z3::check_result answer = z3::unknown;
    std::string reason;
    watch();
    try {
      answer = horn.query(end);
      if (answer == z3::unknown) reason = horn.reason_unknown();
    } catch (const z3::exception& problem) {
      reason = problem.msg();
    }
    if (interrupter_) interrupter_->leave();
    own_.seconds += timer.seconds();
    ++(answer == z3::unsat ? own_.unsat : answer == z3::sat ? own_.sat : own_.unknown);
    if (answer == z3::sat) return fail("the formulas are not contradictory");
    if (answer == z3::unknown)
      return fail("interpolation failed: {}", explain_unknown(reason, limit_));

    std::vector<Term> interpolants;
    BackTranslation back(arena, translation_);
    for (std::size_t i = 0; i + 1 < formulas.size(); ++i) {
      z3::expr cover = horn.get_cover_delta(-1, relations[i]);
      auto term = back.term(cover.substitute(arguments[i]), arena.bool_sort());
      if (!term) return fail("interpolant {} is no term: {}", i + 1, term.error().message);
      interpolants.push_back(*term);
    }
    return interpolants;
  }

  /// The Horn solver may take long between two looks at its limit.
  void watch() {
    if (!interrupter_ && options_.budget)
      if (const auto left = options_.budget->seconds_left())
        interrupter_.emplace(context_, Interrupter::after(*left));
    if (interrupter_) interrupter_->enter();
  }

  /// The formula with the facts about its terms and about the variables that enter at its cut.
  z3::expr with_facts(Term formula, const std::vector<Term>& entering) {
    z3::expr_vector parts(context_);
    std::unordered_set<Term> seen;
    const auto add = [&](Term node, const std::vector<z3::expr>& facts) {
      if (!seen.insert(node).second) return;
      for (const z3::expr& fact : facts) parts.push_back(fact);
    };
    parts.push_back(translation_.of(formula).expr);
    translation_.for_facts(formula, add);
    for (Term variable : entering) translation_.for_facts(variable, add);
    return z3::mk_and(parts);
  }

  void add_rule(z3::fixedpoint& horn, const z3::expr& body, const z3::expr& head) {
    std::vector<z3::expr> constants;
    std::unordered_set<unsigned> seen;
    // A relation without arguments is a constant too, but no variable; no variable has a bar in its
    // name (translation.cpp).
    collect_constants(body, constants, seen);
    collect_constants(head, constants, seen);
    z3::expr_vector bound(context_);
    for (const z3::expr& constant : constants)
      if (constant.decl().name().str().rfind("cut|", 0) != 0) bound.push_back(constant);
    z3::expr rule = z3::implies(body, head);
    if (!bound.empty()) rule = z3::forall(bound, rule);
    horn.add_rule(rule, context_.str_symbol(("step!" + std::to_string(rule_count_++)).c_str()));
  }

  /// Which of the three conditions does not hold?
  std::optional<Diagnostic> refute(TermArena& arena, std::span<const Term> formulas,
                                   const std::vector<Term>& interpolants) {
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      const Term before = i > 0 ? interpolants[i - 1] : arena.truth();
      const Term after = i < interpolants.size() ? interpolants[i] : arena.falsehood();
      switch (checker_->check({before, formulas[i], arena.negate(after)})) {
      case Truth::Unsat: break;
      case Truth::Sat: return fail("interpolant {} is wrong", i + 1).error();
      case Truth::Unknown:
        return fail("interpolant {} could not be checked: {}", i + 1, checker_->reason_unknown())
            .error();
      }
    }
    return std::nullopt;
  }

  SolverOptions options_;
  z3::context context_;
  Translation translation_;
  std::unique_ptr<Solver> checker_;
  std::uint32_t limit_ = 0;
  std::uint64_t relation_count_ = 0, rule_count_ = 0;
  SolverStatistics own_, total_;
  std::optional<Interrupter> interrupter_; // from the first question with a time limit on
};

Interpolator::Interpolator(SolverOptions options) : session_(std::make_unique<Session>(options)) {}
Interpolator::~Interpolator() = default;

Result<std::vector<Term>> Interpolator::sequence(TermArena& arena, std::span<const Term> formulas) {
  return session_->sequence(arena, formulas);
}

const SolverStatistics& Interpolator::statistics() const { return session_->statistics(); }

} // namespace tacit
