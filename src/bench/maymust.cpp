#include "bench/maymust.h"

#include <fmt/format.h>

#include <sstream>

#include "bench/isolated.h"
#include "bench/subjects.h"
#include "pipeline/synthesise.h"
#include "program/text/read.h"

namespace tacit {
namespace {

struct Published {
  unsigned predicates, iterations, states;
  double seconds;
};

struct Row {
  const char* name; // the paper's
  const char* subject;
  Published published[4]; // in the order of `refinements`; no predicates: not published
};

constexpr Row rows[] = {
    {"ListItr",
     "list_iterator_blind",
     {{12, 5, 2, 40.6}, {7, 6, 2, 42.2}, {8, 4, 2, 39.3}, {6, 1, 2, 12.7}}},
    {"Signature",
     "signature",
     {{8, 9, 3, 72.7}, {5, 6, 3, 42.9}, {7, 4, 3, 33.2}, {5, 1, 3, 16.6}}},
    {"ServerTableEntry",
     "server_table_entry",
     {{10, 10, 3, 98.1}, {6, 7, 3, 64.9}, {10, 5, 3, 51.3}, {7, 1, 3, 19.2}}},
    {"PipedOutputStream",
     "piped_output_stream_papers",
     {{4, 5, 2, 16.4}, {2, 3, 2, 11.4}, {2, 3, 2, 11.6}, {2, 1, 2, 7.4}}},
    {"read-write-acq",
     "read_write_acq",
     {{6, 6, 4, 122.8}, {4, 5, 4, 75.4}, {7, 5, 4, 74.3}, {6, 1, 4, 31.1}}},
    {"Socket",
     "socket",
     {{25, 5, 6, 468.5}, {13, 5, 6, 272.9}, {13, 5, 6, 228.0}, {12, 1, 6, 65.8}}},
    {"TransactionManager",
     "transaction_manager",
     {{15, 8, 4, 138.6}, {9, 7, 4, 103.5}, {9, 4, 4, 76.9}, {9, 1, 4, 30.4}}},
    {"NASA-Ascent",
     "nasa_cev_ascent",
     {{34, 14, 5, 1685.6}, {20, 14, 5, 1433.9}, {20, 6, 5, 712.4}, {20, 1, 5, 75.6}}},
    {"NASA-Complete", "nasa_cev", {{}, {}, {}, {74, 1, 14, 3115.6}}},
};

/// Predicates, iterations, states, membership and solver queries, seconds, strength; separated by
/// blanks.
std::string measure(std::string_view tir, Refinement refinement, double seconds) {
  auto module = read_module(tir, "subject.tir");
  if (!module) return "";
  SynthesisRequest request{.engine = "maymust", .refinement = refinement};
  request.needs = false;
  Budget budget(BudgetLimits{.seconds = seconds});
  const auto answer = synthesise(*module, request, budget);
  const bool accepted = answer && answer->check && answer->check->accepted();
  if (!answer || (accepted && !answer->settled)) return "";
  const Interface& found = answer->interface;
  const double spent = std::get<double>(*found.stats.find("seconds"));
  const Verdict& verdict = found.verdict;
  const char* strength = !accepted                             ? "rejected"
                         : verdict.full == Claim::Proved       ? "full"
                         : verdict.permissive == Claim::Proved ? "permissive"
                                                               : "safe";
  auto figure = [&](const char* name) { return found.stats.count(name); };
  return fmt::format("{} {} {} {} {} {:.3f} {}", found.predicates.size(), figure("iterations"),
                     found.states.size(), figure("membership_queries"), figure("solver_queries"),
                     spent, strength);
}

std::string beside(const std::string& ours, const std::string& published) {
  return fmt::format("{:>7} {:>9}", ours, published.empty() ? "" : "(" + published + ")");
}

void print_row(std::ostream& out, const Row& row, std::size_t way, const MayMustBench& options) {
  const auto& [refinement, name] = refinements[way];
  const Published& published = row.published[way];
  const Measurement m = run_isolated(
      [&] { return measure(subject_text(row.subject), refinement, options.seconds_allowed); },
      options.seconds_allowed + 5);
  auto number = [&](unsigned n) { return published.predicates ? std::to_string(n) : ""; };
  std::istringstream figures(m.failed ? "" : m.answer);
  std::string predicates, iterations, states, membership, solver, seconds, strength;
  if (!(figures >> predicates >> iterations >> states >> membership >> solver >> seconds >>
        strength))
    predicates = iterations = states = membership = solver = strength = "-",
    seconds = fmt::format("> {:.0f}", options.seconds_allowed);
  out << fmt::format(
             "{:<18} {:<11} {} {} {} {:>8} {:>8} {}  {}\n", row.name, name,
             beside(predicates, number(published.predicates)),
             beside(iterations, number(published.iterations)),
             beside(states, number(published.states)), membership, solver,
             beside(seconds, published.predicates ? fmt::format("{:.1f}", published.seconds) : ""),
             strength)
      << std::flush;
}

} // namespace

void bench_maymust(std::ostream& out, const MayMustBench& options) {
  out << "Learning Component Interfaces with May and Must Abstractions, Table 1. Published figures "
         "in parentheses\n(1.8 GHz dual core, 2010). What each result was found to be by the "
         "second "
         "solver stands last.\n\n";
  out << fmt::format("{:<18} {:<11} {:>17} {:>17} {:>17} {:>8} {:>8} {:>17}  {}\n", "component",
                     "refine", "predicates", "iterations", "states", "asked", "queries", "seconds",
                     "proved");
  for (const Row& row : rows)
    for (std::size_t way = 0; way < std::size(refinements); ++way)
      print_row(out, row, way, options);
  out << "\nasked: membership queries of the learner; queries: those of the solver.\n"
         "NASA-Complete has 31 states by the published model; 14 come out only when at least the "
         "escape system and the\ndeparture stage are forgotten.\n";
}

} // namespace tacit
