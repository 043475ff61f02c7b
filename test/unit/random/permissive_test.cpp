// The permissive engine against brute force on random components.
#include "against_brute_force.h"
#include "support/volume.h"

namespace tacit {
namespace {

constexpr std::uint64_t full_count = 1300, sample_count = 80, parts = 4;

class Permissive : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Permissive, AgreesWithBruteForce) {
  expect_agreement("permissive", GetParam(), parts, random_seeds(full_count, sample_count),
                   [](std::uint64_t) { return SynthesisOptions{}; });
}

INSTANTIATE_TEST_SUITE_P(Seeds, Permissive, testing::Range(std::uint64_t{0}, parts));

} // namespace
} // namespace tacit
