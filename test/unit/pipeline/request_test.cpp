// Each engine takes what its entry in the table says, and refuses the rest before any work.
#include "pipeline/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacit {
namespace {

using testing::HasSubstr;

struct Option {
  EngineOption option;
  const char* name;
  void (*give)(SynthesisRequest&);
};

const Option options[] = {
    {EngineOption::Full, "--full", [](SynthesisRequest& r) { r.full = true; }},
    {EngineOption::Representation, "--representation",
     [](SynthesisRequest& r) { r.representation = Representation::Bdd; }},
    {EngineOption::Learner, "--learner",
     [](SynthesisRequest& r) { r.learner = LearnerKind::Tree; }},
    {EngineOption::Refinement, "--refine",
     [](SynthesisRequest& r) { r.refinement = Refinement::Wp; }},
    {EngineOption::Seed, "--seed",
     [](SynthesisRequest& r) { r.seed = std::make_shared<const Interface>(); }},
    {EngineOption::Predicates, "--predicate",
     [](SynthesisRequest& r) { r.predicates = {"x > 0"}; }},
    {EngineOption::MustAllow, "--must-allow", [](SynthesisRequest& r) { r.must_allow = {"a b"}; }},
};

TEST(Request, EveryEngineTakesWhatItsEntrySays) {
  for (const Engine& engine : engines())
    for (const Option& option : options) {
      SynthesisRequest request{.engine = engine.name};
      option.give(request);
      const auto checked = check_request(request);
      EXPECT_EQ(checked.has_value(), engine.takes(option.option))
          << engine.name << " " << option.name;
      if (checked) {
        EXPECT_EQ(*checked, &engine);
        continue;
      }
      EXPECT_THAT(checked.error().message, HasSubstr(std::string(option.name) + ": the engine '" +
                                                     engine.name + "' does not take it"));
    }
}

TEST(Request, EveryOptionHasATaker) {
  for (const Option& option : options)
    EXPECT_TRUE(std::ranges::any_of(engines(), [&](const Engine& e) {
      return e.takes(option.option);
    })) << option.name;
}

TEST(Request, CoarseEnginesExist) {
  for (const Engine& engine : engines())
    EXPECT_TRUE(engine.coarse.empty() || find_engine(engine.coarse)) << engine.name;
}

TEST(Request, TheMessageNamesThoseThatTakeIt) {
  EXPECT_EQ(check_request({.engine = "auto", .must_allow = {"a"}}).error().message,
            "--must-allow: the engine 'auto' does not take it; 'game' does");
}

TEST(Request, UnknownEngine) {
  EXPECT_THAT(check_request({.engine = "permisive"}).error().message,
              HasSubstr("there is no engine 'permisive'; did you mean 'permissive'"));
}

TEST(Request, WordsDoNotGoWithGroupsOfCalls) {
  SynthesisRequest request{.engine = "game", .must_allow = {"a b"}};
  request.parts = Decomposition::ByErrors;
  EXPECT_TRUE(check_request(request));
  request.parts = Decomposition::BySlices;
  EXPECT_THAT(check_request(request).error().message, HasSubstr("do not go together"));
}

TEST(Request, EnginesReadWhatWasAsked) {
  SynthesisRequest request{.serial = true, .full = true, .learner = LearnerKind::Table};
  const SynthesisOptions read = synthesis_options(request);
  EXPECT_TRUE(read.serial);
  EXPECT_TRUE(read.full);
  EXPECT_EQ(read.learner, LearnerKind::Table);
  EXPECT_EQ(read.refinement, Refinement::LearnReuse);
  EXPECT_EQ(read.representation, Representation::Explicit);
}

} // namespace
} // namespace tacit
