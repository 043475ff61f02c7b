#include "bench/engines.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/growth.h"
#include "bench/isolated.h"
#include "bench/subjects.h"
#include "pipeline/synthesise.h"
#include "program/text/read.h"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* compared[] = {"permissive", "maymust", "auto"};
constexpr const char* subjects[] = {
    "permissive_p1",
    "permissive_p2",
    "permissive_p3",
    "permissive_p3_blind",
    "permissive_p4",
    "permissive_example8",
    "signature",
    "server_table_entry",
    "list_iterator",
    "list_iterator_blind",
    "socket",
    "piped_output_stream_papers",
    "read_write_acq",
    "transaction_manager",
    "nasa_cev_ascent",
    "nasa_cev",
    "counter_sign",
    "unread_counter",
    "stack_behind_flag",
    "heap_list",
    "loop_search",
    "push_pop",
};

struct Family {
  const char* name;
  std::vector<unsigned> sizes;
  std::string (*print)(unsigned size);
};

/// A door with many calls that want it open.
std::string methods(unsigned n) {
  std::string text = "component Methods\nstate open : bool = false\nstate uses : int = 0\n"
                     "method start() { if (open) error started; open := true; return; }\n"
                     "method stop() { if (!open) error stopped; open := false; return; }\n";
  for (unsigned i = 0; i < n; ++i)
    text +=
        fmt::format("method use{}() {{ if (!open) error closed; uses := uses + 1; return; }}\n", i);
  return text;
}

/// Variables that are written and read, but by no error.
std::string irrelevant(unsigned n) {
  std::string text = "component Irrelevant\nstate open : bool = false\n";
  for (unsigned i = 0; i < n; ++i) text += fmt::format("state v{} : int = 0\n", i);
  text += "method start() { if (open) error started; open := true; return; }\n"
          "method stop() { if (!open) error stopped; open := false; return; }\n"
          "method shift(by : int) {\n";
  for (unsigned i = 0; i + 1 < n; ++i) text += fmt::format("  v{} := v{} + by;\n", i, i + 1);
  return text + "  return;\n}\nmethod first() : int { return v0; }\n";
}

/// Locks that have nothing to do with each other.
std::string independent(unsigned n) {
  std::string text = "component Independent\n";
  for (unsigned i = 0; i < n; ++i)
    text +=
        fmt::format("state held{0} : bool = false\n"
                    "method take{0}() {{ if (held{0}) error taken; held{0} := true; return; }}\n"
                    "method give{0}() {{ if (!held{0}) error free; held{0} := false; return; }}\n",
                    i);
  return text;
}

/// One call for each phase.
std::string phases(unsigned n) {
  std::string text = "component Phases\nenum Phase { P0";
  for (unsigned i = 1; i < n; ++i) text += fmt::format(", P{}", i);
  text += " }\nstate phase : Phase = P0\nstate uses : int = 0\n";
  for (unsigned i = 0; i < n; ++i)
    text += fmt::format("method go{0}() {{ if (phase != P{0}) error order; phase := P{1}; "
                        "uses := uses + 1; return; }}\n",
                        i, (i + 1) % n);
  return text;
}

/// Statements behind each other, with a branch in every fourth.
std::string length(unsigned n) {
  std::string text = "component Length\nstate open : bool = false\nstate sum : int = 0\n"
                     "method start() { if (open) error started; open := true; return; }\n"
                     "method work(x : int) {\n  if (!open) error closed;\n";
  for (unsigned i = 0; i < n; ++i)
    text += i % 4 == 3 ? fmt::format("  if (x > {}) {{ sum := sum - {}; }}\n", i, i)
                       : fmt::format("  sum := sum + {};\n", i);
  return text + "  return;\n}\n";
}

const std::vector<Family>& families_of_size() {
  static const std::vector<Family> all{{"methods", {4, 8, 16, 32, 64}, methods},
                                       {"irrelevant", {10, 40, 160, 640}, irrelevant},
                                       {"independent", {5, 10, 20, 40}, independent},
                                       {"phases", {4, 8, 16, 32}, phases},
                                       {"length", {10, 40, 160, 640}, length}};
  return all;
}

/// One run, as an object; empty when it fails.
std::string measure(std::string_view tir, const std::string& engine, double seconds) {
  const auto module = read_module(tir, "subject.tir");
  if (!module) return "";
  SynthesisRequest request{.engine = engine};
  request.component.arguments = Arguments::Guarded;
  request.needs = false;
  Budget budget(BudgetLimits{.seconds = seconds});
  const auto answer = synthesise(*module, request, budget);
  if (!answer) return "";
  const Interface& found = answer->interface;
  const auto letter = [](Claim claim) {
    return claim == Claim::Proved ? 'p' : claim == Claim::Bounded ? 'b' : 'u';
  };
  const Verdict& verdict = found.verdict;
  Json row;
  row["proved"] =
      fmt::format("{}{}{}", letter(verdict.safe), letter(verdict.permissive), letter(verdict.full));
  row["states"] = found.states.size();
  row["tracked"] = found.tracked.size();
  row["predicates"] = found.predicates.size();
  row["iterations"] = found.stats.count("iterations");
  row["queries"] = found.stats.count("queries");
  row["obligations"] = answer->check ? answer->check->obligations : 0;
  row["check_queries"] = answer->check ? answer->check->queries : 0;
  const auto* spent = found.stats.find("seconds");
  row["seconds"] = spent ? std::get<double>(*spent) : 0;
  row["check_seconds"] = answer->check ? answer->check->seconds : 0;
  return row.dump();
}

Json run(std::string_view tir, const std::string& subject, const std::string& engine,
         const EnginesBench& options) {
  Json row{{"subject", subject}, {"engine", engine}};
  const Measurement m = run_isolated([&] { return measure(tir, engine, options.seconds_allowed); },
                                     options.seconds_allowed * 2 + 5);
  if (m.failed || m.answer.empty()) {
    row["proved"] = "-";
    return row;
  }
  row.update(Json::parse(m.answer));
  row["megabytes"] = m.megabytes;
  return row;
}

void print_row(std::ostream& out, const Json& row, const std::string& name) {
  const auto figure = [&](const char* key) { return row.value(key, 0); };
  const double seconds = row.value("seconds", 0.0), check = row.value("check_seconds", 0.0);
  out << fmt::format("{:<28} {:<10} {:<6} {:>6} {:>7} {:>10} {:>8} {:>8} {:>8.3f} {:>8.4f} {:>6}\n",
                     name, row["engine"].get<std::string>(), row["proved"].get<std::string>(),
                     figure("states"), figure("tracked"), figure("predicates"), figure("queries"),
                     figure("check_queries"), seconds, check,
                     figure("check_queries") > 0 ? fmt::format("{:.1f}", seconds / check) : "")
      << std::flush;
}

void print_head(std::ostream& out) {
  out << fmt::format("{:<28} {:<10} {:<6} {:>6} {:>7} {:>10} {:>8} {:>8} {:>8} {:>8} {:>6}\n",
                     "component", "engine", "proved", "states", "tracked", "predicates", "queries",
                     "checks", "seconds", "re-check", "ratio");
}

bool wanted(const EnginesBench& options, const char* name) {
  return options.only.empty() || std::ranges::count(options.only, name) > 0;
}

template <class Names> bool all_known(const EnginesBench& options, const Names& names) {
  return std::ranges::all_of(options.only, [&](const std::string& name) {
    return std::ranges::any_of(names, [&](const auto& known) { return name == known; });
  });
}

} // namespace

bool bench_engines(std::ostream& out, const EnginesBench& options) {
  if (!all_known(options, subjects)) return false;
  Json rows = Json::array();
  if (!options.json) print_head(out);
  for (const char* subject : subjects) {
    if (!wanted(options, subject)) continue;
    for (const char* engine : compared) {
      Json row = run(subject_text(subject), subject, engine, options);
      if (!options.json) print_row(out, row, subject);
      rows.push_back(std::move(row));
    }
  }
  if (options.json) out << rows.dump(1) << "\n";
  return true;
}

bool bench_scaling(std::ostream& out, const EnginesBench& options) {
  std::vector<std::string> names;
  for (const Family& family : families_of_size()) names.emplace_back(family.name);
  if (!all_known(options, names)) return false;
  Json rows = Json::array();
  if (!options.json) print_head(out);
  for (const Family& family : families_of_size()) {
    if (!wanted(options, family.name)) continue;
    for (const char* engine : compared) {
      std::vector<GrowthPoint> queries, seconds;
      for (unsigned size : family.sizes) {
        Json row = run(family.print(size), family.name, engine, options);
        row["size"] = size;
        if (!options.json) print_row(out, row, fmt::format("{} {}", family.name, size));
        const bool open = !row["proved"].get<std::string>().starts_with("pp");
        if (!open) {
          queries.push_back({size, row["queries"].get<double>()});
          seconds.push_back({size, row["seconds"].get<double>()});
        }
        rows.push_back(std::move(row));
        if (open) break;
      }
      const auto by_queries = growth_power(queries, 1), by_seconds = growth_power(seconds, 0.01);
      const auto said = [](std::optional<double> power) {
        return power ? Json(std::round(*power * 100) / 100) : Json(nullptr);
      };
      Json growth{{"subject", family.name},
                  {"engine", engine},
                  {"up_to", queries.empty() ? 0 : queries.back().k},
                  {"power_of_queries", said(by_queries)},
                  {"power_of_seconds", said(by_seconds)}};
      if (!options.json)
        out << fmt::format("{} by {}, up to {}: queries grow with the power {}, seconds with {}\n",
                           family.name, engine, growth["up_to"].dump(),
                           growth["power_of_queries"].dump(), growth["power_of_seconds"].dump());
      rows.push_back(std::move(growth));
    }
  }
  if (options.json) out << rows.dump(1) << "\n";
  return true;
}

std::string scaling_component(const std::string& family, unsigned size) {
  for (const Family& known : families_of_size())
    if (known.name == family) return known.print(size);
  return "";
}

} // namespace tacit
