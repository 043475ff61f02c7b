#include "logic/solver/solver.h"

namespace tacit {

std::string_view to_string(Truth truth) {
  switch (truth) {
  case Truth::Sat: return "sat";
  case Truth::Unsat: return "unsat";
  case Truth::Unknown: return "unknown";
  }
  return "?";
}

void SolverStatistics::add_to(Statistics& figures) const {
  figures.add("queries", static_cast<std::int64_t>(queries));
  figures.add("queries_sat", static_cast<std::int64_t>(sat));
  figures.add("queries_unsat", static_cast<std::int64_t>(unsat));
  figures.add("queries_unknown", static_cast<std::int64_t>(unknown));
  figures.add_seconds("solver_seconds", seconds);
}

} // namespace tacit
