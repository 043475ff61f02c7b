#include <algorithm>
#include <charconv>
#include <iostream>

#include <fmt/ranges.h>

#include "bench/algorithms.h"
#include "bench/contractor.h"
#include "bench/engines.h"
#include "bench/families.h"
#include "bench/jist.h"
#include "bench/maymust.h"
#include "cli/commands.h"
#include "cli/component_options.h"
#include "logic/term/parse.h"

namespace tacit {
namespace {

/// `tacit bench algorithms --print FAMILY K`.
Result<int> print_family(const CommandLine& line) {
  const std::string name = *line.one("--print");
  std::vector<std::string> names;
  std::string all;
  for (const Family& f : families()) {
    names.push_back(f.name);
    all += (all.empty() ? "" : ", ") + f.name;
  }
  const Family* family = find_family(name);
  if (!family)
    return fail("--print: there is no family '{}'{} (families: {})", name, suggestion(name, names),
                all);
  if (line.positional.size() != 2)
    return fail("--print needs a family and a size: --print {} 8", name);
  const std::string& text = line.positional[1];
  unsigned k = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), k);
  if (error != std::errc() || end != text.data() + text.size() || k < 1 || k > family->max_k)
    return fail("the size of '{}' is a number from 1 to {}, not '{}'", name, family->max_k, text);
  std::cout << family->print(k);
  return exit_status::done;
}

Result<int> contractor(const CommandLine& line) {
  ContractorBench options;
  auto seconds = positive_number(line, "--time");
  if (!seconds) return std::unexpected(seconds.error());
  if (*seconds) options.seconds_allowed = **seconds;
  auto workers = worker_count(line);
  if (!workers) return std::unexpected(workers.error());
  options.workers = workers->value_or(options.workers);
  auto good = bench_contractor(std::cout, options);
  if (!good) return std::unexpected(good.error());
  return *good ? exit_status::done : exit_status::finding;
}

} // namespace

Result<int> run_bench(const CommandLine& line) {
  const std::string suite = line.positional.empty() ? "algorithms" : line.positional[0];
  const std::vector<std::string> suites{"algorithms", "contractor", "engines",
                                        "jist",       "maymust",    "scaling"};
  if (std::ranges::find(suites, suite) == suites.end())
    return fail("there is no suite '{}'{} (suites: {})", suite, suggestion(suite, suites),
                fmt::join(suites, ", "));
  if (suite != "algorithms" && line.has("--print"))
    return fail("--print goes with the suite 'algorithms'");
  if (suite != "contractor" && line.has("--workers"))
    return fail("--workers goes with the suite 'contractor'");
  const bool of_engines = suite == "engines" || suite == "scaling";
  if (!of_engines && line.has("--json"))
    return fail("--json goes with the suites 'engines' and 'scaling'");
  if (suite == "contractor") return contractor(line);
  if (line.has("--print")) return print_family(line);
  auto seconds = positive_number(line, "--time");
  if (!seconds) return std::unexpected(seconds.error());
  if (of_engines) {
    EnginesBench options{.json = line.has("--json")};
    if (*seconds) options.seconds_allowed = **seconds;
    options.only.assign(line.positional.begin() + 1, line.positional.end());
    if (!(suite == "engines" ? bench_engines : bench_scaling)(std::cout, options))
      return fail("suite '{}' does not have all of: {}", suite, fmt::join(options.only, ", "));
    return exit_status::done;
  }
  if (suite == "maymust") {
    MayMustBench options;
    if (*seconds) options.seconds_allowed = **seconds;
    bench_maymust(std::cout, options);
    return exit_status::done;
  }
  if (suite == "jist") {
    JistBench options;
    if (*seconds) options.seconds_allowed = **seconds;
    options.classes.assign(line.positional.begin() + 1, line.positional.end());
    bench_jist(std::cout, options);
    return exit_status::done;
  }
  AlgorithmsBench options;
  if (*seconds) options.seconds_allowed = **seconds;
  bench_algorithms(std::cout, options);
  return exit_status::done;
}

} // namespace tacit
