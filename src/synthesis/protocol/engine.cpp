#include "synthesis/protocol/engine.h"

namespace tacit {

Synthesis in_terms_of(const Budget& budget, Synthesis result) {
  constexpr std::string_view ran_out = "the budget ran out: ";
  for (auto& [claim, why] : result.interface.verdict.details)
    if (why.starts_with(ran_out) && !budget.reason().empty())
      why = std::string(ran_out) + budget.reason();
  return result;
}

} // namespace tacit
