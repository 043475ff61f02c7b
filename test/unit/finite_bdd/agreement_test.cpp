// The symbolic oracle against the explicit one: examples, components that exercise every operator,
// random components.
#include <gtest/gtest.h>

#include <filesystem>

#include "agreement.h"
#include "program/text/read.h"
#include "support/random_component.h"
#include "support/volume.h"

namespace tacit {
namespace {

Component built(const std::string& text, ComponentOptions options = {}) {
  auto module = read_module(text, "test.tir");
  if (!module) throw std::runtime_error(to_string(module.error()));
  auto component = build_component(*module, options);
  if (!component) throw std::runtime_error(to_string(component.error()));
  return std::move(*component);
}

void expect_agreement(const std::string& text, ComponentOptions options = {}) {
  AgreementTally tally;
  const Component component = built(text, std::move(options));
  const auto wrong = disagreement(component, tally);
  EXPECT_FALSE(wrong) << *wrong;
  EXPECT_EQ(tally.components, 1u);
  EXPECT_GT(tally.sets_checked, 0u);
  fmt::print("{}\n", to_string(tally));
}

TEST(BddAgreement, Examples) {
  AgreementTally tally;
  for (const auto& folder : std::filesystem::directory_iterator(TACIT_SOURCE_DIR "/examples"))
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
      if (file.path().extension() != ".tir") continue;
      SCOPED_TRACE(file.path().string());
      const auto text = read_file(file.path().string());
      ASSERT_TRUE(text);
      const auto module = read_module(*text, file.path().string());
      if (!module) continue;
      for (Arguments arguments : {Arguments::Demonic, Arguments::Angelic}) {
        const auto component = build_component(*module, {.arguments = arguments});
        if (!component) continue;
        const auto wrong = disagreement(*component, tally);
        EXPECT_FALSE(wrong) << *wrong;
      }
    }
  fmt::print("{}\n", to_string(tally));
  EXPECT_GT(tally.components, 20u);
}

class RandomAgreement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomAgreement, RandomComponents) {
  const std::uint64_t count = full_volume() ? 4000 : 240;
  AgreementTally tally;
  auto wrong_about = [&](const RandomComponent& random) -> std::optional<std::string> {
    const auto module = read_module(random.tir(), "random.tir");
    if (!module) return std::nullopt;
    const auto component = build_component(*module, random.options);
    if (!component) return std::nullopt;
    return disagreement(*component, tally);
  };
  for (std::uint64_t seed = GetParam(); seed < count; seed += 4) {
    const RandomComponent random = random_component(seed);
    if (!wrong_about(random)) continue;
    const RandomComponent small =
        shrink(random, [&](const RandomComponent& c) { return wrong_about(c).has_value(); });
    FAIL() << "seed " << seed << ": " << *wrong_about(small) << "\n"
           << small.options_text() << "\n"
           << small.tir();
  }
  fmt::print("{}\n", to_string(tally));
  EXPECT_GT(tally.components, 30u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomAgreement, testing::Range<std::uint64_t>(0, 4));

TEST(BddAgreement, Arithmetic) {
  expect_agreement(R"(component Arithmetic
state a : int [-5..6] = 2
state b : int [-3..3] = 1
method mixed(x : int [-4..4], y : int [-2..3]) : int {
  a := x * y / (b == 0 ? 1 : b) - x % y + s8(x * 100) % 3;
  b := (0 - x) % 4;
  if (a * b > u8(x - 1)) return 0;
  return 1;
}
method divide(x : int [-7..7]) : bool {
  if (x / b == a) error Quotient;
  a := x / a;
  return a % b == x % b;
}
method wrap(x : int [-7..7]) { a := s8(x * x * 37); b := u8(0 - x) / 64; return; }
)",
                   {.integers = Integers::Machine});
}

TEST(BddAgreement, EnumeratorsCompareByValue) {
  expect_agreement(R"(component Order
enum Level { Low = 7, Mid = -2, High = 3 }
state l : Level = Mid
state a : int [-2..7] = 0
method set(k : Level) : bool {
  if (k < l && int(k) == a) error Order;
  l := k <= High ? k : l;
  a := int(k);
  return l >= High;
}
method step(k : Level) { if (l <= k) error Reached; a := int(l) - int(k); return; }
)");
}

TEST(BddAgreement, Maps) {
  expect_agreement(R"(component Maps
enum Level { Low, Mid, High }
state l : Level = Mid
state m : map [int [1..3]] int [0..1] = all(0)
state n : map [bool] map [Level] bool = all(all(false))
method put(i : int [0..4], v : int [0..2]) : bool {
  if (i >= 1 && i <= 3 && m[i] == v) error Same;
  assume i != 0 && i < 4;
  m[i] := v;
  return m[1] + m[2] == m[3];
}
method mark(k : Level, b : bool) : bool {
  n := n[b := n[false][k := b]];
  l := k;
  if (n[!b][l] && n[true][Low]) error Marked;
  return n[b][l];
}
method swap() {
  var old : map [int [1..3]] int [0..1] = all(1);
  old := m;
  m := l == Low ? old[2 := old[3]] : all(1);
  return;
}
)");
  // Equality of maps, and a map as an argument.
  expect_agreement(R"(component MapEquality
state m : map [int [1..3]] int [-1..2] = all(0)
state n : map [bool] bool = all(true)
method replace(w : map [int [1..3]] int [-1..2]) : bool {
  if (w == m) error Equal;
  assume w[1] <= w[2] && w[3] == 0;
  m := w;
  return m == all(0) && n == all(true);
}
method pair(b : map [bool] bool) { if (b != n) n := b; else n[false] := false; return; }
)");
}

TEST(BddAgreement, LoopsWithChoicesAndExits) {
  expect_agreement(R"(component Loops
state n : int [0..6]
state hits : int [0..3] = 0
method walk(limit : int [0..5]) : bool {
  var i : int [0..9] = 0;
  var j : int [0..9] = 0;
  var pick : bool;
  while (i < n) {
    havoc pick;
    if (pick) {
      if (i == limit) error Limit;
      hits := hits + 1;
    } else {
      if (i > 4) return false;
      j := 0;
      while (j < i) { j := j + 2; if (j == 3) hits := 0; }
    }
    i := i + 1;
  }
  return true;
}
method more() { n := n + 1; return; }
method reset() { hits := 0; return; }
)");
}

/// More choices than are planned for, and more than one way round.
TEST(BddAgreement, LoopsThatOnlyARangeEnds) {
  expect_agreement(R"(component Ranges
state s : int [0..40] = 0
state odd : bool = false
method run() : bool {
  while (*) {
    if (*) { s := s + 3; odd := !odd; } else { s := s + 7; if (s > 30) return odd; }
  }
  return true;
}
method check() { if (s == 35) error Reached; return; }
method clear() { s := 0; return; }
)");
}

TEST(BddAgreement, AngelicArguments) {
  const std::string text = R"(component Angelic
exception Refused
state open : bool = false
state level : int [0..4] = 0
method put(x : int [0..7]) : int {
  var luck : bool;
  if (x > 5) throw Refused;
  if (open && x == level) error Clash;
  if (open && x > level) return 2;
  havoc luck;
  if (luck && x == 5) error Unlucky;
  level := x;
  return 1;
}
method toggle() { open := !open; return; }
)";
  expect_agreement(text, {.arguments = Arguments::Angelic});
  expect_agreement(text, {.rejects = {"put:returns=2"}, .arguments = Arguments::Angelic});
  expect_agreement(text);
}

TEST(BddAgreement, ClientStateAndOpenStart) {
  expect_agreement(R"(component Handle
client state mode : int [0..2]
state last : int [0..2]
state bits : map [int [0..1]] bool
constructor make(x : bool) { bits[0] := x; if (last == 2 && x) throw Bad; return; }
constructor careless() { if (bits[1] && mode == 1) error Careless; return; }
exception Bad
method go() : bool { if (mode < last) error Order; last := mode; return bits[0]; }
)");
}

TEST(BddAgreement, UnreachableFailuresDoNotMatter) {
  const std::string text = R"(component Index
state i : int [0..7] = 0
state m : map [int [0..3]] bool = all(false)
method step() { if (i < LIMIT) i := i + 1; return; }
method read() : bool { return m[i]; }
method flip() { m[i] := !m[i]; return; }
method spin() { while (i > 5) { m[0] := true; } return; }
)";
  std::string fine = text, bad = text;
  fine.replace(fine.find("LIMIT"), 5, "3");
  bad.replace(bad.find("LIMIT"), 5, "4");
  expect_agreement(fine);
  AgreementTally tally;
  const Component component = built(bad);
  EXPECT_FALSE(disagreement(component, tally));
  EXPECT_EQ(tally.failures, 1u);
}

} // namespace
} // namespace tacit
