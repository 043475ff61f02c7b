#include "cli/requests.h"

#include <iostream>
#include <regex>

#include <fmt/ranges.h>

#include "cli/component_options.h"
#include "cli/files.h"
#include "logic/term/parse.h"

namespace tacit {
namespace {

Result<std::optional<Refinement>> chosen_refinement(const CommandLine& line) {
  const auto name = line.one("--refine");
  if (!name) return std::optional<Refinement>();
  std::vector<std::string> names;
  for (const auto& [refinement, known] : refinements) {
    if (*name == known) return std::optional(refinement);
    names.emplace_back(known);
  }
  return fail("--refine: there is no refinement '{}'{} (refinements: {})", *name,
              suggestion(*name, names), fmt::join(names, ", "));
}

/// The value of an option that has two, if it is given.
template <class Value>
Result<std::optional<Value>> choice(const CommandLine& line, std::string_view option,
                                    std::string_view first, Value first_value,
                                    std::string_view second, Value second_value) {
  if (!line.has(option)) return std::optional<Value>();
  auto value = one_of(line, option, first, first_value, second, second_value);
  if (!value) return std::unexpected(value.error());
  return std::optional(*value);
}

} // namespace

Result<SynthesisRequest> synthesis_request(const CommandLine& line) {
  SynthesisRequest request;
  request.all_errors = line.has("--all-errors");
  auto component = component_options(line);
  if (!component) return std::unexpected(component.error());
  request.component = std::move(*component);
  request.engine = line.one("--engine").value_or(request.engine);
  request.serial = line.has("--serial");
  request.full = line.has("--full");
  auto representation = choice(line, "--representation", "explicit", Representation::Explicit,
                               "bdd", Representation::Bdd);
  if (!representation) return std::unexpected(representation.error());
  request.representation = *representation;
  auto hide_bits = choice(line, "--hide", "variables", false, "bits", true);
  if (!hide_bits) return std::unexpected(hide_bits.error());
  request.hide_bits = *hide_bits;
  auto learner = choice(line, "--learner", "tree", LearnerKind::Tree, "table", LearnerKind::Table);
  if (!learner) return std::unexpected(learner.error());
  request.learner = *learner;
  auto refinement = chosen_refinement(line);
  if (!refinement) return std::unexpected(refinement.error());
  request.refinement = *refinement;
  // Those about what is returned make outcomes.
  static const std::regex of_result("\\bresult\\b");
  for (const std::string& text : line.all("--predicate"))
    (std::regex_search(text, of_result) ? request.component.results : request.predicates)
        .push_back(text);
  request.must_allow = line.all("--must-allow");
  if (line.has("--decompose") && line.has("--partition"))
    return fail("--decompose and --partition do not go together");
  if (line.has("--decompose")) request.parts = Decomposition::ByErrors;
  if (line.has("--partition")) request.parts = Decomposition::BySlices;
  if (const auto old = line.one("--seed")) {
    auto seed = load_result(*old);
    if (!seed) return std::unexpected(seed.error());
    request.seed = std::make_shared<const Interface>(std::move(*seed));
  }
  request.check = !line.has("--no-check");
  request.sources = line.positional;
  if (line.has("--explain")) request.story = Story(&std::cerr);
  if (auto engine = check_request(request); !engine) return std::unexpected(engine.error());
  return request;
}

Result<EnablednessRequest> enabledness_request(const CommandLine& line) {
  EnablednessRequest request;
  auto component = component_options(line);
  if (!component) return std::unexpected(component.error());
  request.component = std::move(*component);
  EpaOptions& how = request.how;
  if (const auto text = line.one("--requires")) {
    if (*text == "given")
      how.requires_from = RequiresFrom::Given;
    else if (*text == "mined")
      how.requires_from = RequiresFrom::Mined;
    else if (*text == "both")
      how.requires_from = RequiresFrom::Both;
    else
      return fail("--requires is 'given', 'mined' or 'both', not '{}'", *text);
  }
  request.component.responses = line.has("--responses");
  if (request.component.responses) {
    if (how.requires_from == RequiresFrom::Given)
      return fail("--responses: a clause that is given says nothing of the response; --requires is "
                  "'both' (the default then) or 'mined'");
    how.requires_from = how.requires_from.value_or(RequiresFrom::Both);
  }
  auto search =
      one_of(line, "--search", "models", EpaSearch::Models, "candidates", EpaSearch::Candidates);
  if (!search) return std::unexpected(search.error());
  how.search = *search;
  how.pruning = !line.has("--no-pruning");
  if (!how.pruning && how.search == EpaSearch::Models)
    return fail("--no-pruning is about --search candidates");
  auto workers = worker_count(line);
  if (!workers) return std::unexpected(workers.error());
  how.workers = workers->value_or(1);
  how.reachable = line.has("--reachable");
  how.invariants = line.all("--invariant");
  how.facts = line.all("--fact");
  how.over = line.all("--over");
  how.under = line.all("--under");
  how.why_not = line.all("--why-not");
  if (line.has("--explain")) how.story = Story(&std::cerr);
  request.check = !line.has("--no-check");
  request.sources = line.positional;
  return request;
}

} // namespace tacit
