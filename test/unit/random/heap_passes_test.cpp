// Passes over the heap, on random components that keep their state behind a pointer: whatever the
// result allows, runs of the component as it was written do not err.
#include <algorithm>

#include <gtest/gtest.h>

#include "check/check.h"
#include "interface/diff.h"
#include "program/text/print.h"
#include "program/text/read.h"
#include "support/volume.h"
#include "synthesis/engines.h"

namespace tacit {
namespace {

constexpr std::uint64_t full_count = 2000, sample_count = 120, walks = 60, length = 7;

class Dice {
public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  std::size_t below(std::size_t n) {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return static_cast<std::size_t>((state_ >> 20) % n);
  }

private:
  std::uint64_t state_;
};

/// A body: guards, then uses of the object, of a new one, or of none.
std::string body(Dice& dice, bool constructor) {
  std::string text = "  var m : ref R;\n";
  auto number = [&] { return std::to_string(dice.below(3)); };
  auto truth = [&] { return dice.below(2) ? "true" : "false"; };
  auto use = [&](const std::string& p) {
    switch (dice.below(6)) {
    case 0: return "  " + p + ".mode := " + number() + ";\n";
    case 1: return "  " + p + ".flag := " + truth() + ";\n";
    case 2: return "  if (" + p + ".mode == " + number() + ") error Wrong;\n";
    case 3: return "  if (" + p + ".flag) " + p + ".mode := " + number() + ";\n";
    case 4: return "  if (" + p + ".mode == " + number() + ") { return " + truth() + "; }\n";
    default: return "  " + p + ".flag := " + p + ".mode == " + number() + ";\n";
    }
  };
  const std::size_t kind = dice.below(constructor ? 2 : 4);
  if (constructor && kind == 0) return text + "  return;\n";
  if (kind <= 1) {
    if (!constructor && dice.below(2)) text += "  if (p != null) error Twice;\n";
    text += "  m := new R;\n";
    if (dice.below(4)) text += "  m.mode := " + number() + ";\n";
    if (dice.below(4)) text += std::string("  m.flag := ") + truth() + ";\n";
    const bool late = dice.below(3) == 0;
    if (!late) text += "  p := m;\n";
    for (std::size_t n = dice.below(2); n-- > 0 && !constructor;) text += use("m");
    if (late) text += "  p := m;\n";
  } else {
    if (dice.below(4) == 0)
      text += "  if (p == null) { return false; }\n";
    else
      text += "  if (p == null) error None;\n";
    for (std::size_t n = 1 + dice.below(3); n-- > 0;) text += use("p");
    if (dice.below(4) == 0) text += "  p := null;\n";
  }
  return text + (constructor     ? "  return;\n"
                 : dice.below(3) ? "  return true;\n"
                                 : "  return false;\n");
}

std::string component_text(std::uint64_t seed) {
  Dice dice(seed + 1);
  std::string text = "component H\nrecord R { mode : int [0..2], flag : bool }\n"
                     "state p : ref R = null\nconstructor H() {\n";
  text += body(dice, true) + "}\n";
  for (std::size_t i = 0, n = 2 + dice.below(3); i < n; ++i)
    text += fmt::format("method m{}() : bool {{\n{}}}\n", i, body(dice, false));
  return text;
}

/// Walks that the interface allows, on the component as it was written.
std::optional<std::string> wrong_walk(const Component& component, const Interface& found,
                                      Dice& dice) {
  for (std::size_t walk = 0; walk < walks; ++walk) {
    if (found.initial.empty()) return std::nullopt;
    ConcreteRun start;
    const Interpreter interpreter(component.module());
    for (const StateVariable* v : interpreter.uninitialised())
      start.initial.push_back(const_map(Value(
          static_cast<Integer>(dice.below(v->type.value->sort->kind == SortKind::Bool ? 2 : 3)))));
    const StepResult made = run_constructor(component, start);
    if (made.how != RunEnd::Returned) return "the constructor did not return";
    State at = found.initial[0].state;
    ConcreteState state = made.after;
    std::string word;
    for (std::size_t step = 0; step < length; ++step) {
      const std::size_t call = dice.below(found.calls.size());
      if (!found.states[at].allows[call]) continue;
      const StepResult done = run_step(component, state, {call, {}});
      word += " " + found.calls[call].name;
      if (done.how == RunEnd::Erred) return "errs:" + word;
      if (done.how != RunEnd::Returned) return "does not return:" + word;
      const std::string& outcome = component.calls()[call].outcomes[done.outcome];
      const auto next = std::ranges::find_if(found.transitions, [&](const InterfaceTransition& t) {
        const std::string& listed = found.calls[call].outcomes[t.outcome];
        return t.from == at && t.call == call && (listed == "any" || listed == outcome);
      });
      if (next == found.transitions.end()) return "has no transition:" + word + ":" + outcome;
      at = next->to;
      state = done.after;
    }
  }
  return std::nullopt;
}

TEST(HeapPasses, AllowNothingThatErrs) {
  const Seeds seeds = random_seeds(full_count, sample_count);
  std::size_t safe = 0, permissive = 0, both = 0, without_heap = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    const std::string text = component_text(seed);
    auto module = read_module(text, "random.tir");
    ASSERT_TRUE(module) << to_string(module.error()) << text;
    const auto plain = build_component(*module, {});
    ASSERT_TRUE(plain) << to_string(plain.error()) << text;
    module->conventions = {.reducible = true, .focused = true};
    const auto passed = build_component(*module, {});
    ASSERT_TRUE(passed) << to_string(passed.error()) << text;
    if (passed->module().records.empty()) ++without_heap;
    auto run = [&](const Component& component) {
      Budget budget(BudgetLimits{.seconds = 5});
      auto result = find_engine("permissive")->run(component, {}, budget);
      EXPECT_TRUE(result) << to_string(result.error()) << text;
      const CheckReport report = check_evidence(result->interface, component, {});
      EXPECT_TRUE(report.rejected.empty())
          << to_string(report.rejected[0]) << "\nseed " << seed << "\n"
          << print_module(component.module());
      return std::move(result->interface);
    };
    const Interface before = run(*plain), after = run(*passed);
    if (after.verdict.safe != Claim::Proved) continue;
    ++safe;
    Dice dice(seed);
    const auto wrong = wrong_walk(*plain, after, dice);
    ASSERT_FALSE(wrong) << *wrong << "\nseed " << seed << "\n"
                        << text << print_module(passed->module());
    if (after.verdict.permissive != Claim::Proved) continue;
    ++permissive;
    if (before.verdict.permissive != Claim::Proved) continue;
    ++both;
    const auto difference = diff(before, after);
    ASSERT_TRUE(difference) << to_string(difference.error());
    EXPECT_TRUE(difference->calls.empty()) << "seed " << seed << "\n"
                                           << text << print_module(passed->module());
  }
  fmt::print("{} components, {} without heap after the passes; {} proved safe, {} permissive, "
             "{} of them also before\n",
             seeds.count(), without_heap, safe, permissive, both);
  EXPECT_GE(without_heap * 4, seeds.count());
  EXPECT_GE(permissive * 3, seeds.count());
}

} // namespace
} // namespace tacit
