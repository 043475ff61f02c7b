#include "bench/algorithms.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "bench/families.h"
#include "bench/growth.h"
#include "bench/isolated.h"
#include "component/component.h"
#include "program/text/read.h"
#include "synthesis/engines.h"

namespace tacit {
namespace {

struct Row {
  const char* family;
  unsigned k;
  const char* published; // learning / CEGAR seconds in the paper's Table 1
};

// The published rows first, then what lies beyond them.
constexpr Row rows[] = {
    {"stack", 10, ""},
    {"stack", 14, ""},
    {"list_iterator", 5, "0.19 / 0.91"},
    {"list_iterator", 6, "0.43 / 1.53"},
    {"list_iterator", 7, "1.10 / 4.31"},
    {"list_iterator", 8, "2.31 / 12.12"},
    {"server_table_entry", 16, ""},
    {"piped_output_stream", 12, "2.12 / 0.89"},
    {"piped_output_stream", 13, "5.30 / 1.83"},
    {"piped_output_stream", 14, "12.32 / 3.76"},
    {"piped_output_stream", 15, "27.82 / 7.68"},
    {"direct_wins", 12, ""},
    {"learning_wins", 16, ""},
    {"cegar_wins", 16, ""},
};
constexpr Row beyond_rows[] = {
    {"stack", 18, ""},
    {"list_iterator", 11, ""},
    {"list_iterator", 16, ""},
    {"server_table_entry", 60, ""},
    {"piped_output_stream", 40, ""},
    {"direct_wins", 16, ""},
    {"learning_wins", 20, ""},
    {"cegar_wins", 40, ""},
};

struct Attempt {
  double seconds = 0, megabytes = 0;
  std::size_t states = 0;
  bool done = false;
  const char* representation = "";
};

Attempt attempt(const std::string& tir, const char* engine, Representation representation,
                double seconds) {
  const auto work = [&]() -> std::string {
    auto module = read_module(tir, "family.tir");
    if (!module) return "";
    auto component = build_component(*module, {});
    if (!component) return "";
    Budget budget(BudgetLimits{.seconds = seconds});
    auto result = find_engine(engine)->run(*component, {.representation = representation}, budget);
    if (!result || !result->settled) return "";
    return std::to_string(result->interface.states.size());
  };
  const Measurement m = run_isolated(work, seconds);
  Attempt a{m.seconds, m.megabytes, 0, !m.failed && !m.answer.empty(),
            representation == Representation::Bdd ? "bdd" : "explicit"};
  if (a.done) a.states = std::stoul(m.answer);
  return a;
}

// The better representation.
std::optional<Attempt> best_attempt(const std::string& tir, const char* engine, double seconds) {
  std::optional<Attempt> chosen;
  for (Representation r : {Representation::Explicit, Representation::Bdd}) {
    const Attempt a = attempt(tir, engine, r, seconds);
    if (a.done && (!chosen || a.seconds < chosen->seconds)) chosen = a;
  }
  return chosen;
}

void print_row(std::ostream& out, const Row& row, const AlgorithmsBench& options) {
  const Family& family = *find_family(row.family);
  const std::string tir = family.print(row.k);
  std::string cells, winner = "none";
  double best = 0;
  std::size_t states = 0;
  for (const char* engine : {"direct", "learn", "cegar"}) {
    const auto chosen = best_attempt(tir, engine, options.seconds_allowed);
    if (!chosen) {
      cells += fmt::format(" {:>27}", fmt::format("> {:.0f} s", options.seconds_allowed));
      continue;
    }
    states = chosen->states;
    cells += fmt::format(" {:>8.3f} s {:>5.0f} MB {:<8}", chosen->seconds, chosen->megabytes,
                         chosen->representation);
    if (winner == "none" || chosen->seconds < best) {
      winner = engine;
      best = chosen->seconds;
    }
  }
  out << fmt::format("{:<20} {:>3} {:>7} {} {:>13}  {}{}\n", family.name, row.k, states, cells,
                     row.published, winner,
                     winner == family.favours ? "" : " (expected " + family.favours + ")")
      << std::flush;
}

// Section 4 of the paper, of explicit states: what multiplies the exponent k.
struct Separation {
  const char* family;
  unsigned first, step;
  const char* predicted[3]; // direct, learn, cegar
};
constexpr Separation separations[] = {
    {"direct_wins", 4, 1, {"2^k·k", "2^3k", "2^2k"}},
    {"learning_wins", 6, 1, {"2^k·k", "2^k", "2^2k"}},
    {"cegar_wins", 6, 1, {"2^k·k", "2^k·k²", "2^k·log k"}},
};

std::string growth(const Separation& separation, const char* engine, double seconds) {
  const Family& family = *find_family(separation.family);
  constexpr double least_seconds = 0.01; // below, the start of the process is most of it
  std::vector<GrowthPoint> points;
  unsigned k = separation.first;
  for (; k <= family.max_k; k += separation.step) {
    const auto found = best_attempt(family.print(k), engine, seconds);
    if (!found) break;
    points.push_back({k, found->seconds});
  }
  const std::string reached =
      points.empty() ? "no k within the time" : fmt::format("k ≤ {}", points.back().k);
  const auto exponent = growth_exponent(points, least_seconds);
  return exponent ? fmt::format("2^{:.2f}k, {}", *exponent, reached) : reached;
}

void print_growth(std::ostream& out, const AlgorithmsBench& options) {
  out << "growth with k, fitted to the times of all k that end within the limit, and what the "
         "paper's section 4 predicts\n";
  out << fmt::format("{:<20} {:>28} {:>28} {:>28}\n", "family", "direct", "learn", "cegar");
  const char* engines[] = {"direct", "learn", "cegar"};
  for (const Separation& one : separations) {
    std::string measured, predicted;
    for (std::size_t i = 0; i < 3; ++i) {
      measured += fmt::format(" {:>28}", growth(one, engines[i], options.seconds_allowed / 4));
      predicted += fmt::format(" {:>28}", one.predicted[i]);
    }
    out << fmt::format("{:<20}{}\n{:<20}{}\n", one.family, measured, "  predicted", predicted)
        << std::flush;
  }
}

} // namespace

void bench_algorithms(std::ostream& out, const AlgorithmsBench& options) {
  out << "Algorithms for Interface Synthesis: times of the better representation, process start "
         "included.\n"
         "Published: learning / CEGAR on a 3 GHz Pentium IV.\n\n";
  out << fmt::format("{:<20} {:>3} {:>7}  {:>26} {:>27} {:>27} {:>13}  {}\n", "family", "k",
                     "states", "direct", "learn", "cegar", "published s", "fastest");
  for (const Row& row : rows) print_row(out, row, options);
  if (!options.beyond) return;
  out << "beyond the paper\n";
  for (const Row& row : beyond_rows) print_row(out, row, options);
  print_growth(out, options);
}

} // namespace tacit
