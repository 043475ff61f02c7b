// Random guarded interfaces, most of them mutants of right ones.
#include <gtest/gtest.h>

#include "interface/json.h"
#include "program/text/read.h"
#include "support/guarded_evidence.h"
#include "support/random_guarded.h"
#include "support/reference.h"
#include "support/volume.h"

namespace tacit {
namespace {

struct Made {
  RandomGuarded random;
  Component component;
  Interface right;
};

std::optional<Made> make(std::uint64_t seed) {
  RandomGuarded random = random_guarded(seed);
  const auto module = read_module(random.tir, "random.tir");
  EXPECT_TRUE(module.has_value()) << random.tir << to_string(module.error());
  if (!module) return std::nullopt;
  auto component = build_component(*module, random.options);
  EXPECT_TRUE(component.has_value()) << random.tir << to_string(component.error());
  if (!component) return std::nullopt;
  auto right = right_interface(random, *component);
  if (!right) return std::nullopt;
  return Made{std::move(random), std::move(*component), std::move(*right)};
}

// The reference and the enumeration of right interfaces were written apart.
TEST(RandomGuardedInterfaces, RightOnesAreRight) {
  std::size_t judged = 0, open = 0;
  for (std::uint64_t seed = 0; seed < (full_volume() ? 3000 : 300); ++seed) {
    const auto made = make(seed);
    if (!made) continue;
    const ReferenceReport report = judge_interface(made->right, made->component);
    const std::string about = made->random.tir + to_json(made->right);
    ASSERT_FALSE(report.malformed.has_value()) << *report.malformed << "\n" << about;
    ASSERT_FALSE(report.failure.has_value()) << *report.failure << "\n" << about;
    EXPECT_TRUE(report.safe.holds()) << seed << ": " << to_string(report.safe) << "\n" << about;
    EXPECT_NE(report.permissive.answer, Judgement::Answer::Fails)
        << seed << ": " << to_string(report.permissive) << "\n"
        << about;
    ++judged;
    open += report.permissive.answer == Judgement::Answer::Open;
    if (testing::Test::HasFailure()) return;
  }
  fmt::print("{} judged, {} of them open by unknown values\n", judged, open);
  EXPECT_GE(judged, 100u);
}

} // namespace
} // namespace tacit
