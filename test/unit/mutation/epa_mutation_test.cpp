// The checker of enabledness abstractions: those of the papers' subjects are accepted, and rejected
// with anything changed.
#include <gtest/gtest.h>

#include "check/check.h"
#include "interface/json.h"
#include "program/text/read.h"
#include "support/mutate_epa.h"
#include "support/volume.h"
#include "synthesis/epa/epa.h"

namespace tacit {
namespace {

struct Subject {
  Component component;
  Interface result;
};

std::optional<Subject> subject(const std::string& name, const EpaOptions& how = {}) {
  const auto text = read_file(fmt::format("{0}/examples/{1}/{1}.tir", TACIT_SOURCE_DIR, name));
  if (!text) return std::nullopt;
  const auto module = read_module(*text, name + ".tir");
  if (!module) return std::nullopt;
  auto component = build_component(*module, {});
  if (!component) return std::nullopt;
  Budget budget;
  auto made = synthesise_epa(*module, *component, how, budget);
  if (!made) return std::nullopt;
  made->interface.tir = *text;
  return Subject{std::move(*component), std::move(made->interface)};
}

std::string findings(const CheckReport& report) {
  std::string text;
  for (const Finding& f : report.rejected) text += "rejected: " + to_string(f) + "\n";
  for (const Finding& f : report.unknown) text += "unknown: " + to_string(f) + "\n";
  return text;
}

class EpaMutation : public testing::TestWithParam<const char*> {};

TEST_P(EpaMutation, IsRejected) {
  const auto found = subject(GetParam());
  ASSERT_TRUE(found.has_value());
  const CheckReport report = check_evidence(found->result, found->component, {});
  EXPECT_TRUE(report.accepted()) << findings(report);
  const auto mutants = epa_mutants(found->result);
  const std::size_t step = full_volume() ? 1 : 1 + mutants.size() / 60;
  for (std::size_t i = 0; i < mutants.size(); i += step) {
    const CheckReport again = check_evidence(mutants[i].result, found->component, {});
    EXPECT_FALSE(again.rejected.empty()) << mutants[i].change << "\n" << findings(again);
  }
}

INSTANTIATE_TEST_SUITE_P(Subjects, EpaMutation,
                         testing::Values("epa_list_buggy", "epa_list_fixed", "epa_signature",
                                         "epa_piped_output_stream", "epa_list_iterator",
                                         "epa_socket_first", "epa_pccrr_second", "epa_smtp_server",
                                         "epa_smtp_protocol", "socket", "list_iterator"));

/// What was read back from the file is what was checked.
TEST(EpaEvidence, SurvivesTheFile) {
  const auto found = subject("epa_pccrr_second", {.reachable = true});
  ASSERT_TRUE(found.has_value());
  const auto again = read_interface(to_json(found->result), "result.json");
  ASSERT_TRUE(again.has_value());
  const auto report = check_evidence(*again, {});
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->accepted()) << findings(*report);
}

/// With successors of reachable states, a certain transition needs a run that takes it.
TEST(EpaEvidence, RunsAreReplayed) {
  const auto found = subject("epa_pccrr_second", {.reachable = true});
  ASSERT_TRUE(found.has_value());
  for (std::size_t i = 0; i < found->result.transitions.size(); ++i) {
    Interface without = found->result, shorter = found->result;
    without.transitions[i].run.reset();
    EXPECT_FALSE(check_evidence(without, found->component, {}).rejected.empty());
    shorter.transitions[i].run->steps.pop_back();
    EXPECT_FALSE(check_evidence(shorter, found->component, {}).rejected.empty());
  }
}

/// What the second solver did not settle is listed, and only that is let through.
TEST(EpaEvidence, UnconfirmedIsNoExcuseForWhatIsWrong) {
  auto found = subject("epa_list_buggy");
  ASSERT_TRUE(found.has_value());
  Interface& result = found->result;
  result.epa->unconfirmed.push_back("other successors of remove in S2");
  std::erase_if(result.transitions, [&](const InterfaceTransition& t) {
    return result.calls[t.call].name == "remove";
  });
  const CheckReport report = check_evidence(result, found->component, {});
  ASSERT_EQ(report.rejected.size(), 1u) << findings(report);
  EXPECT_EQ(report.rejected[0].obligation, "other successors of remove in S2");
}

/// A weaker invariant admits steps that are not listed.
TEST(EpaEvidence, InferredInvariantsMatter) {
  auto found = subject("socket", {.requires_from = RequiresFrom::Mined});
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(check_evidence(found->result, found->component, {}).accepted());
  found->result.epa->invariant = "true";
  EXPECT_FALSE(check_evidence(found->result, found->component, {}).rejected.empty());
}

} // namespace
} // namespace tacit
