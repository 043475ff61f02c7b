#include "pipeline/request.h"

#include <fmt/ranges.h>

#include "logic/term/parse.h"

namespace tacit {
namespace {

struct Given {
  EngineOption option;
  const char* name; // on the command line
  bool given;
};

Result<const Engine*> chosen_engine(const std::string& name) {
  if (const Engine* engine = find_engine(name)) return engine;
  std::vector<std::string> names;
  for (const Engine& e : engines()) names.push_back(e.name);
  return fail("--engine: there is no engine '{}'{} (engines: {})", name, suggestion(name, names),
              fmt::join(names, ", "));
}

} // namespace

Result<const Engine*> check_request(const SynthesisRequest& request) {
  auto engine = chosen_engine(request.engine);
  if (!engine) return engine;
  const Given all[] = {
      {EngineOption::Full, "--full", request.full},
      {EngineOption::Representation, "--representation", request.representation.has_value()},
      {EngineOption::Bits, "--hide", request.hide_bits.has_value()},
      {EngineOption::Learner, "--learner", request.learner.has_value()},
      {EngineOption::Refinement, "--refine", request.refinement.has_value()},
      {EngineOption::Seed, "--seed", request.seed != nullptr},
      {EngineOption::Predicates, "--predicate", !request.predicates.empty()},
      {EngineOption::MustAllow, "--must-allow", !request.must_allow.empty()},
  };
  for (const Given& g : all) {
    if (!g.given || (*engine)->takes(g.option)) continue;
    std::vector<std::string> takers;
    for (const Engine& e : engines())
      if (e.takes(g.option)) takers.push_back("'" + e.name + "'");
    return fail("{}: the engine '{}' does not take it; {} {}", g.name, request.engine,
                fmt::join(takers, ", "), takers.size() == 1 ? "does" : "do");
  }
  // A word may have calls that are not in every part.
  if (!request.must_allow.empty() && request.parts == Decomposition::BySlices)
    return fail("--must-allow and --partition do not go together");
  return engine;
}

SynthesisOptions synthesis_options(const SynthesisRequest& request) {
  SynthesisOptions options;
  options.serial = request.serial;
  options.full = request.full;
  options.representation = request.representation.value_or(options.representation);
  options.hide_bits = request.hide_bits.value_or(false);
  options.learner = request.learner;
  options.refinement = request.refinement.value_or(options.refinement);
  options.seed = request.seed;
  options.must_allow = request.must_allow;
  options.story = request.story;
  return options;
}

} // namespace tacit
