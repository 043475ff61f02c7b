// The may-must engine against brute force on random components. All ways to refine take turns, and
// both learners.
#include "against_brute_force.h"
#include "support/volume.h"

namespace tacit {
namespace {

constexpr std::uint64_t full_count = 1300, sample_count = 60, parts = 4;

class MayMustRandom : public testing::TestWithParam<std::uint64_t> {};

TEST_P(MayMustRandom, AgreesWithBruteForce) {
  expect_agreement(
      "maymust", GetParam(), parts, random_seeds(full_count, sample_count), [](std::uint64_t seed) {
        return SynthesisOptions{.learner = seed % 5 ? LearnerKind::Tree : LearnerKind::Table,
                                .refinement = refinements[seed % 7 < 4 ? 3 : seed % 3].first};
      });
}

INSTANTIATE_TEST_SUITE_P(Seeds, MayMustRandom, testing::Range(std::uint64_t{0}, parts));

} // namespace
} // namespace tacit
