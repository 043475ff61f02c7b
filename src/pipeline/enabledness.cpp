#include "pipeline/enabledness.h"

#include <algorithm>

#include "abstraction/formula/clause_functions.h"
#include "base/timer.h"
#include "pipeline/make_component.h"
#include "pipeline/recheck.h"
#include "program/text/print.h"

namespace tacit {

namespace {

// What was found before the budget ran out is checked too; a check that takes too long ends.
constexpr double least_enabledness_seconds = 5, checking_seconds = 60;

} // namespace

Result<EnablednessAnswer> abstract_enabledness(const Module& module,
                                               const EnablednessRequest& request, Budget& budget) {
  const Timer timer;
  Module loaded = module;
  if (auto added = add_source_clauses(loaded, request.clause_texts); !added)
    return std::unexpected(added.error());
  auto annotated = with_clause_functions(loaded, request.component);
  if (!annotated) return std::unexpected(annotated.error());
  auto built = make_component(*annotated, request.component);
  if (!built) return std::unexpected(built.error());
  auto component = std::make_shared<const Component>(std::move(*built));
  if (request.phase) request.phase("engine epa");
  auto made = synthesise_epa(*annotated, *component, request.how, budget);
  if (!made) return std::unexpected(made.error());
  Interface& result = made->interface;
  result.sources = request.sources;
  result.tir = print_module(*annotated);
  result.stats.set("seconds", request.seconds_before + timer.seconds());
  result.stats.set("queries", budget.queries());
  bool confirmed = true;
  if (request.check) {
    if (request.phase) request.phase("checking the evidence with the second solver");
    Budget checking(
        BudgetLimits{.seconds = std::max(least_enabledness_seconds,
                                         budget.limits().seconds.value_or(checking_seconds)),
                     .memory_bytes = budget.limits().memory_bytes});
    confirmed = recheck_enabledness(result, *component, checking).rejected.empty();
  } else {
    result.verdict.details["check"] = "the evidence was not re-checked (--no-check)";
  }
  return EnablednessAnswer{std::move(result), std::move(component), made->settled && confirmed,
                           std::move(made->answers), std::move(made->annotated)};
}

} // namespace tacit
