// A Z3 solver with counted, limited, logged queries: what Z3Solver and the search for choices
// share.
//
// Each query goes to a solver that is kept and tuned for many small queries. That tuning can run
// away on integers without bounds (a remainder suffices), and what is left from earlier queries may
// lead it there. So it gets an eighth of the effort; what it does not settle goes to a second,
// fresh solver with Z3's own choice of arithmetic and only the assertions that matter.
//
// Always incremental: Z3's one-shot tactics are never entered, as a first query without assumptions
// would otherwise take another path than all later ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <z3++.h>

#include "logic/solver/solver.h"
#include "logic/z3/interrupter.h"

namespace tacit {

/// What Z3 is told about the queries to come, from the fastest to the most general. Linear is wrong
/// about maps and incomplete for products; Maps answers Unknown as soon as a constant map is
/// around.
enum class Fragment { Linear, Maps, General };

class QueryEngine {
public:
  /// With `logged`, assertions and queries go to the log.
  QueryEngine(z3::context& context, const SolverOptions& options, SolverStatistics& statistics,
              bool logged);

  /// Forgets all assertions and scopes.
  void restart(Fragment fragment);

  void push();
  void pop(unsigned scopes);
  void add(const z3::expr& fact);
  /// `literal` implies `meaning`; matters only to queries that assume the literal.
  void define(const z3::expr& literal, const z3::expr& meaning);

  /// One query. Never throws.
  Truth check(const std::vector<z3::expr>& assumptions);

  /// After Sat, until the next change.
  z3::model model() { return (second_ ? *second_ : solver_).get_model(); }
  /// After Unsat, until the next change.
  std::vector<z3::expr> core();
  const std::string& reason() const { return reason_; }
  Fragment fragment() const { return fragment_; }

private:
  struct Assertion {
    z3::expr formula;
    std::optional<unsigned> literal; // the number of the literal that it defines
  };

  std::ostream* log() const { return logged_ ? options_.log : nullptr; }
  Truth run(z3::solver& solver, const std::vector<z3::expr>& assumptions);
  bool out_of_time() const;
  template <class Step> void touch(const Step& step);
  void rebuild();
  void start_over(const std::vector<z3::expr>& assumptions);

  z3::context& context_;
  const SolverOptions& options_;
  SolverStatistics& statistics_;
  bool logged_;
  Fragment fragment_ = Fragment::Linear;
  z3::solver solver_;
  bool stale_ = false;               // solver_ misses something of what follows
  std::optional<z3::solver> second_; // gave the last answer
  std::vector<Assertion> assertions_;
  std::vector<std::size_t> scopes_; // how many assertions there were before
  std::string reason_;
  std::optional<Interrupter> interrupter_; // from the first query with a time limit on
};

/// Z3's reason in words that do not name Z3's inside.
std::string explain_unknown(const std::string& z3_reason, std::uint32_t rlimit);

} // namespace tacit
