// From the command line to requests; whatever is wrong with options is found before sources are
// read, which is why the sources here do not exist.
#include "cli/requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/component_options.h"
#include "cli/files.h"

namespace tacit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CommandLine line_of(std::vector<std::string> words) {
  auto line = parse_arguments(words);
  EXPECT_TRUE(line) << line.error().message;
  return *line;
}

std::string complaint(std::vector<std::string> options) {
  options.insert(options.begin(), {"synth", "missing.tir"});
  auto request = synthesis_request(line_of(std::move(options)));
  return request ? "" : request.error().message;
}

TEST(Requests, Synthesis) {
  auto request = synthesis_request(
      line_of({"synth", "a.tir", "--engine", "learn", "--representation", "bdd", "--learner",
               "table", "--serial", "--decompose", "--no-check", "--methods", "a,b", "--error",
               "assert", "--arguments", "angelic", "--integers", "machine"}));
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->engine, "learn");
  EXPECT_EQ(request->representation, Representation::Bdd);
  EXPECT_EQ(request->learner, LearnerKind::Table);
  EXPECT_EQ(request->refinement, std::nullopt);
  EXPECT_EQ(request->parts, Decomposition::ByErrors);
  EXPECT_TRUE(request->serial);
  EXPECT_FALSE(request->check);
  EXPECT_THAT(request->component.methods, ElementsAre("a", "b"));
  EXPECT_THAT(request->component.errors, ElementsAre("assert"));
  EXPECT_EQ(request->component.arguments, Arguments::Angelic);
  EXPECT_EQ(request->component.integers, Integers::Machine);
  EXPECT_THAT(request->sources, ElementsAre("a.tir"));
}

TEST(Requests, ConflictsAreFoundBeforeTheWork) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_THAT(complaint({"--decompose", "--partition"}), HasSubstr("do not go together"));
  EXPECT_THAT(complaint({"--engine", "game", "--must-allow", "a b", "--partition"}),
              HasSubstr("do not go together"));
  EXPECT_THAT(complaint({"--engine", "dirct"}), HasSubstr("did you mean 'direct'"));
  EXPECT_THAT(complaint({"--representation", "bdd"}), HasSubstr("'auto' does not take it"));
  EXPECT_THAT(complaint({"--engine", "permissive", "--refine", "wp"}), HasSubstr("'maymust' does"));
  EXPECT_THAT(complaint({"--predicate", "x"}), HasSubstr("'permissive', 'game' do"));
  EXPECT_THAT(complaint({"--representation", "dbd"}), HasSubstr("'explicit' or 'bdd'"));
  EXPECT_THAT(complaint({"--refine", "pw"}), HasSubstr("refinements: wp, wp+craig"));
  EXPECT_THAT(complaint({"--seed", "/no/such.json"}), HasSubstr("cannot be read"));
}

TEST(Requests, Enabledness) {
  auto request = enabledness_request(
      line_of({"epa", "a.tir", "--requires", "both", "--search", "candidates", "--no-pruning",
               "--workers", "3", "--reachable", "--invariant", "x > 0", "--why-not", "S1 a S0"}));
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->how.requires_from, RequiresFrom::Both);
  EXPECT_EQ(request->how.search, EpaSearch::Candidates);
  EXPECT_FALSE(request->how.pruning);
  EXPECT_EQ(request->how.workers, 3u);
  EXPECT_TRUE(request->how.reachable);
  EXPECT_THAT(request->how.invariants, ElementsAre("x > 0"));
  EXPECT_TRUE(request->check);
  EXPECT_FALSE(enabledness_request(line_of({"epa", "a.tir", "--no-pruning"})));
  EXPECT_FALSE(enabledness_request(line_of({"epa", "a.tir", "--requires", "none"})));
  EXPECT_FALSE(enabledness_request(line_of({"epa", "a.tir", "--workers", "1.5"})));
}

TEST(Requests, Limits) {
  auto limits =
      budget_limits(line_of({"synth", "--time", "2.5", "--memory", "10", "--queries", "100"}));
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->seconds, 2.5);
  EXPECT_EQ(limits->memory_bytes, 10u * 1024 * 1024);
  EXPECT_EQ(limits->queries, 100u);
  for (const char* bad : {"0", "-1", "x", "1e99", "nan"})
    EXPECT_FALSE(budget_limits(line_of({"synth", "--time", bad}))) << bad;
}

TEST(Outputs, AreCheckedBeforeTheWork) {
  EXPECT_TRUE(check_outputs(line_of({"synth", "a.tir"})));
  EXPECT_TRUE(check_outputs(line_of({"synth", "a.tir", "-o", "-"})));
  EXPECT_FALSE(check_outputs(line_of({"synth", "a.tir", "-o", "/no/such/folder/r.json"})));
  EXPECT_FALSE(check_outputs(line_of({"epa", "a.tir", "--annotate", "/no/such/folder/a.tir"})));
  auto same = check_outputs(line_of({"epa", "a.tir", "-o", "x", "--annotate", "x"}));
  ASSERT_FALSE(same);
  EXPECT_THAT(same.error().message, HasSubstr("the same file"));
  const std::string source = std::string(TACIT_SOURCE_DIR) + "/README.md";
  EXPECT_FALSE(check_outputs(line_of({"synth", source, "-o", source})));
}

} // namespace
} // namespace tacit
