// The checker of evidence against an independent judge: results with one thing changed must be
// rejected exactly when enumeration says that they, or what should prove them, are wrong. Unchanged
// results must be accepted by both.
#include <memory>

#include <gtest/gtest.h>

#include "check/check.h"
#include "interface/json.h"
#include "program/text/print.h"
#include "program/text/read.h"
#include "support/evidence_judge.h"
#include "support/mutate.h"
#include "support/random_component.h"
#include "support/volume.h"
#include "synthesis/engines.h"

namespace tacit {
namespace {

struct Subject {
  std::string name;
  Component component;
  Interface result;
};

std::optional<Subject> subject(const std::string& name, const std::string& text,
                               const ComponentOptions& options, const std::string& engine) {
  const auto module = read_module(text, name + ".tir");
  if (!module) return std::nullopt;
  auto component = build_component(*module, options);
  if (!component) return std::nullopt;
  Budget budget;
  auto synthesis = find_engine(engine)->run(*component, {}, budget);
  if (!synthesis || !synthesis->settled) return std::nullopt;
  synthesis->interface.tir = text;
  return Subject{name, std::move(*component), std::move(synthesis->interface)};
}

const char* const examples[] = {"lock_p1",
                                "lock_p3",
                                "read_write_acq",
                                "file_library",
                                "signature",
                                "server_table_entry",
                                "piped_output_stream",
                                "piped_output_stream_papers",
                                "socket",
                                "transaction_manager",
                                "nasa_cev_ascent",
                                "list_iterator_blind"};

std::optional<Subject> example(const std::string& name, const std::string& engine) {
  const auto text = read_file(fmt::format("{0}/examples/{1}/{1}.tir", TACIT_SOURCE_DIR, name));
  if (!text) return std::nullopt;
  return subject(name, *text, {}, engine);
}

/// Random components that have something to prove, small enough to enumerate and without loops
/// (whose bounds are evidence that the judge does not know).
std::vector<std::unique_ptr<Subject>> random_subjects(std::size_t count,
                                                      const std::string& engine) {
  std::vector<std::unique_ptr<Subject>> subjects;
  for (std::uint64_t seed = 10'000; subjects.size() < count; ++seed) {
    const RandomComponent random =
        random_component(seed, {.nondeterministic = seed % 4 != 0, .compare_maps = false});
    auto made =
        subject(fmt::format("seed {}\noptions: {}\n{}", seed, random.options_text(), random.tir()),
                random.tir(), random.options, engine);
    if (!made || !EvidenceJudge::valuations(made->component, 600)) continue;
    const Interface& result = made->result;
    if (!result.evidence.unwind.empty() || result.states.size() < 2 || result.states.size() > 12)
      continue;
    if (seed % 2 == 0 && result.evidence.must.empty()) continue;
    subjects.push_back(std::make_unique<Subject>(std::move(*made)));
  }
  return subjects;
}

struct Tally {
  std::size_t rejected = 0, accepted = 0, failures = 0;
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> by_kind; // rejected, accepted

  std::size_t mutants() const { return rejected + accepted + failures; }
};

/// Makes `count` mutants, kinds in turn from `first_kind` on.
void test_mutants(const Subject& s, std::size_t count, std::size_t first_kind, std::uint64_t seed,
                  Tally& tally) {
  EvidenceJudge judge(s.component);
  const auto wrong = judge.wrong(s.result);
  ASSERT_TRUE(wrong.empty()) << s.name << ": the judge finds the result wrong: " << wrong[0];
  const CheckReport plain = check_evidence(s.result, s.component, {});
  ASSERT_TRUE(plain.accepted()) << s.name << ": "
                                << to_string(plain.rejected.empty() ? plain.unknown[0]
                                                                    : plain.rejected[0]);
  std::mt19937_64 random(seed);
  std::size_t kind = first_kind;
  for (std::size_t made = 0, tries = 0; made < count && tries < count * 40; ++tries) {
    const std::size_t this_kind = kind++ % mutation_kinds();
    const auto mutant = mutate(s.result, s.component, this_kind, random);
    if (!mutant) continue;
    ++made;
    const auto expected = judge.wrong(mutant->result);
    const CheckReport report = check_evidence(mutant->result, s.component, {});
    if (!report.unknown.empty()) {
      ++tally.failures;
      ADD_FAILURE() << s.name << ": " << mutant->change
                    << "\nundecided: " << to_string(report.unknown[0]);
    } else if (report.rejected.empty() && !expected.empty()) {
      ++tally.failures;
      ADD_FAILURE() << s.name << ": " << mutant->change << "\naccepted, but wrong: " << expected[0];
    } else if (!report.rejected.empty() && expected.empty()) {
      ++tally.failures;
      ADD_FAILURE() << s.name << ": " << mutant->change
                    << "\nrejected, but right: " << to_string(report.rejected[0]);
    } else if (expected.empty()) {
      ++tally.accepted;
      ++tally.by_kind[this_kind].second;
    } else {
      ++tally.rejected;
      ++tally.by_kind[this_kind].first;
    }
  }
}

class Mutants : public testing::TestWithParam<const char*> {};

TEST_P(Mutants, AreRejectedExactlyWhenWrong) {
  const bool full = full_volume();
  Tally tally;
  std::size_t first = 0;
  for (const char* name : examples) {
    const auto s = example(name, GetParam());
    ASSERT_TRUE(s) << name;
    test_mutants(*s, full ? 25 : 3, first, 7 + first, tally);
    first += full ? 5 : 3;
  }
  for (const auto& s : random_subjects(full ? 40 : 10, GetParam())) {
    test_mutants(*s, full ? 10 : 3, first, 7 + first, tally);
    first += full ? 7 : 3;
  }
  fmt::print("{} mutants: {} wrong and rejected, {} still right and accepted, {} failures\n",
             tally.mutants(), tally.rejected, tally.accepted, tally.failures);
  EXPECT_GE(tally.mutants(), full ? 500u : 60u);
  EXPECT_GT(tally.rejected, 0u);
  EXPECT_GT(tally.accepted, 0u);
}

INSTANTIATE_TEST_SUITE_P(Of, Mutants, testing::Values("direct", "permissive"));

} // namespace
} // namespace tacit
