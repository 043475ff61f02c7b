#include "logic/z3/engine.h"

#include <ostream>
#include <unordered_set>

#include "base/timer.h"

namespace tacit {

namespace {

/// The share of the effort that the first solver gets.
constexpr std::uint32_t first_share = 8;

z3::solver make_solver(z3::context& context, Fragment fragment, std::uint32_t rlimit) {
  z3::solver solver =
      fragment == Fragment::General
          ? z3::solver(context, z3::solver::simple())
          : z3::solver(context, fragment == Fragment::Linear ? "QF_LIA" : "QF_AUFLIA");
  z3::params parameters(context);
  parameters.set("arith.solver", 2u);
  parameters.set("rlimit", rlimit);
  parameters.set("ctrl_c", false); // signals are not the library's
  if (fragment != Fragment::General) {
    parameters.set("ignore_solver1", true);
    parameters.set("solver2_unknown", 0u); // an Unknown is not tried a second time
  }
  solver.set(parameters);
  solver.push(); // from here on it is incremental
  return solver;
}

} // namespace

std::string explain_unknown(const std::string& reason, std::uint32_t rlimit) {
  if (reason.find("cancel") != std::string::npos || reason.find("resource") != std::string::npos ||
      reason.find("interrupted") != std::string::npos)
    return "the query exceeded its resource limit of " + std::to_string(rlimit);
  if (reason.find("arithmetic") != std::string::npos)
    return "the query has products or divisions of variables that the solver cannot decide";
  if (reason.find("incomplete") != std::string::npos) return "the solver is incomplete here";
  if (reason.empty() || reason == "unknown")
    return "the solver gave up, probably at its resource limit of " + std::to_string(rlimit);
  return reason;
}

QueryEngine::QueryEngine(z3::context& context, const SolverOptions& options,
                         SolverStatistics& statistics, bool logged)
    : context_(context), options_(options), statistics_(statistics), logged_(logged),
      solver_(make_solver(context, Fragment::Linear, options.rlimit / first_share)) {}

void QueryEngine::restart(Fragment fragment) {
  if (log()) *log() << "(reset-assertions)\n";
  fragment_ = fragment;
  second_.reset();
  assertions_.clear();
  scopes_.clear();
  rebuild();
}

/// An interrupt that came too late for its query strikes whatever is done next, and the next
/// thing after that: Z3 keeps it until a query has begun. What the solver misses then is known
/// here, and made up for before the next question.
template <class Step> void QueryEngine::touch(const Step& step) {
  if (stale_) return;
  try {
    step();
  } catch (const z3::exception&) {
    stale_ = true;
  }
}

void QueryEngine::push() {
  if (log()) *log() << "(push 1)\n";
  scopes_.push_back(assertions_.size());
  touch([&] { solver_.push(); });
}

void QueryEngine::pop(unsigned scopes) {
  if (scopes == 0) return;
  if (log()) *log() << "(pop " << scopes << ")\n";
  scopes_.resize(scopes_.size() - scopes + 1);
  assertions_.erase(assertions_.begin() + static_cast<std::ptrdiff_t>(scopes_.back()),
                    assertions_.end());
  scopes_.pop_back();
  touch([&] { solver_.pop(scopes); });
}

void QueryEngine::add(const z3::expr& fact) {
  if (log()) *log() << "(assert " << fact << ")\n";
  assertions_.push_back({fact, std::nullopt});
  touch([&] { solver_.add(fact); });
}

void QueryEngine::define(const z3::expr& literal, const z3::expr& meaning) {
  add(z3::implies(literal, meaning));
  assertions_.back().literal = literal.id();
}

Truth QueryEngine::check(const std::vector<z3::expr>& assumptions) {
  second_.reset();
  if (options_.budget) {
    if (options_.budget->exhausted()) {
      reason_ = options_.budget->reason();
      return Truth::Unknown;
    }
    options_.budget->count_query();
  }
  ++statistics_.queries;
  if (log()) {
    *log() << "(check-sat-assuming (";
    for (const z3::expr& assumption : assumptions)
      *log() << (&assumption == &assumptions.front() ? "" : " ") << assumption;
    *log() << "))\n";
  }
  const Timer timer;
  if (stale_) rebuild();
  Truth truth = stale_ ? Truth::Unknown : run(solver_, assumptions);
  if (truth == Truth::Unknown) {
    ++statistics_.retries;
    const bool late = out_of_time();
    try {
      rebuild();
      if (late) throw z3::exception("interrupted");
      start_over(assumptions);
      truth = run(*second_, assumptions);
    } catch (const z3::exception& problem) {
      reason_ = explain_unknown(problem.msg(), options_.rlimit);
    }
  }
  statistics_.seconds += timer.seconds();
  switch (truth) {
  case Truth::Sat: ++statistics_.sat; break;
  case Truth::Unsat: ++statistics_.unsat; break;
  case Truth::Unknown: ++statistics_.unknown; break;
  }
  if (log()) {
    *log() << "; " << to_string(truth);
    if (truth == Truth::Unknown) *log() << ": " << reason_;
    *log() << "\n";
  }
  return truth;
}

bool QueryEngine::out_of_time() const {
  return options_.budget && options_.budget->exhausted_now();
}

Truth QueryEngine::run(z3::solver& solver, const std::vector<z3::expr>& assumptions) {
  if (!interrupter_ && options_.budget)
    if (const auto left = options_.budget->seconds_left())
      interrupter_.emplace(context_, Interrupter::after(*left));
  try {
    std::vector<Z3_ast> raw(assumptions.begin(), assumptions.end());
    if (interrupter_) interrupter_->enter();
    const Z3_lbool answer = Z3_solver_check_assumptions(
        context_, solver, static_cast<unsigned>(raw.size()), raw.data());
    if (interrupter_) interrupter_->leave();
    context_.check_error();
    if (answer == Z3_L_TRUE) return Truth::Sat;
    if (answer == Z3_L_FALSE) return Truth::Unsat;
    reason_ = explain_unknown(solver.reason_unknown(), options_.rlimit);
  } catch (const z3::exception& problem) {
    reason_ = explain_unknown(problem.msg(), options_.rlimit);
  }
  return Truth::Unknown;
}

/// A solver that was stopped in the middle of something is not to be trusted with more.
void QueryEngine::rebuild() {
  stale_ = true;
  try {
    solver_ = make_solver(context_, fragment_, options_.rlimit / first_share);
    auto scope = scopes_.begin();
    for (std::size_t i = 0; i <= assertions_.size(); ++i) {
      for (; scope != scopes_.end() && *scope == i; ++scope) solver_.push();
      if (i < assertions_.size()) solver_.add(assertions_[i].formula);
    }
    stale_ = false;
  } catch (const z3::exception& problem) {
    reason_ = explain_unknown(problem.msg(), options_.rlimit);
  }
}

void QueryEngine::start_over(const std::vector<z3::expr>& assumptions) {
  std::unordered_set<unsigned> assumed;
  for (const z3::expr& assumption : assumptions) assumed.insert(assumption.id());
  second_.emplace(context_, z3::solver::simple());
  z3::params parameters(context_);
  parameters.set("rlimit", options_.rlimit);
  parameters.set("ctrl_c", false);
  second_->set(parameters);
  for (const Assertion& assertion : assertions_)
    if (!assertion.literal || assumed.contains(*assertion.literal)) second_->add(assertion.formula);
}

std::vector<z3::expr> QueryEngine::core() {
  std::vector<z3::expr> core;
  for (const z3::expr& literal : (second_ ? *second_ : solver_).unsat_core())
    core.push_back(literal);
  return core;
}

} // namespace tacit
