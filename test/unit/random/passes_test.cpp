// The passes that run on what front ends lower leave the protocol alone: on random components, the
// same calls and outcomes after every word as brute force finds without the passes.
#include <gtest/gtest.h>

#include "check/check.h"
#include "program/reduce/relevance.h"
#include "program/text/externs.h"
#include "program/text/print.h"
#include "program/text/read.h"
#include "support/brute_force.h"
#include "support/random_component.h"
#include "support/same_calls.h"
#include "support/volume.h"
#include "synthesis/finite/direct.h"

namespace tacit {
namespace {

constexpr std::uint64_t full_count = 4000, sample_count = 120, parts = 4;

Term clamped(TermArena& arena, Term value, const Type& type) {
  if (value->op == Op::Store)
    return arena.store(clamped(arena, value->args[0], type), value->args[1],
                       clamped(arena, value->args[2], *type.value));
  if (value->sort->kind != SortKind::Int) return value;
  if (type.low)
    value = arena.ite(arena.lt(value, arena.integer(*type.low)), arena.integer(*type.low), value);
  if (type.high)
    value = arena.ite(arena.lt(arena.integer(*type.high), value), arena.integer(*type.high), value);
  return value;
}

const Type& type_of(const Module& module, const Procedure& p, Term variable) {
  for (const auto* list : {&p.parameters, &p.locals})
    for (const Variable& v : *list)
      if (v.term == variable) return v.type;
  return module.state[*module.state_index(variable)].type;
}

/// Makes values stay in the ranges of their variables: an assignment that would leave one has no
/// run, and a pass that drops the variable would let it go on. False when a call's result may leave
/// the range of where it goes.
bool clamp(Module& module) {
  TermArena& arena = *module.arena;
  for (Procedure& p : module.procedures)
    for (Block& b : p.blocks) {
      for (Statement& s : b.statements)
        if (s.kind == StatementKind::Assign)
          s.value = clamped(arena, s.value, type_of(module, p, s.target));
      if (b.end.kind == TerminatorKind::Return && b.end.value)
        b.end.value = clamped(arena, b.end.value, *p.returns);
      if (b.end.kind != TerminatorKind::Call) continue;
      const Procedure& callee = *module.find_procedure(b.end.name);
      for (std::size_t i = 0; i < b.end.arguments.size(); ++i)
        b.end.arguments[i] = clamped(arena, b.end.arguments[i], callee.parameters[i].type);
      if (!b.end.result || b.end.result->sort->kind != SortKind::Int) continue;
      const Type& to = type_of(module, p, b.end.result);
      if ((to.low && *callee.returns->low < *to.low) ||
          (to.high && *callee.returns->high > *to.high))
        return false;
    }
  return true;
}

struct Tally {
  std::size_t agreed = 0, too_large = 0, smaller = 0;
};

enum class Passes { AfterInlining, Relevance };

/// The component as the passes leave it; nullopt where they are allowed to change what it does.
std::optional<Result<Component>> after(Passes which, Module module,
                                       const ComponentOptions& options) {
  if (which == Passes::AfterInlining) {
    module.conventions = {.reducible = true, .focused = true};
  } else {
    expand_externs(module);
    if (keep_relevant(module, {})) return std::nullopt;
  }
  return build_component(module, options);
}

std::optional<std::string> disagreement(Passes which, const RandomComponent& random, Tally* tally) {
  auto module = read_module(random.tir(), "random.tir");
  if (!module || !clamp(*module)) return std::nullopt;
  const auto plain = build_component(*module, random.options);
  if (!plain) return std::nullopt;
  const BruteForce expected = brute_force(*plain, random.serial, {.beliefs = 300, .states = 2000});
  if (expected.too_large) {
    if (tally) ++tally->too_large;
    return std::nullopt;
  }
  const auto made = after(which, *module, random.options);
  if (!made) return std::nullopt;
  const auto& passed = *made;
  if (!passed) return to_string(passed.error());
  Budget budget;
  auto synthesis = synthesise_direct(*passed, {.serial = random.serial}, budget);
  if (!synthesis) return to_string(synthesis.error());
  // A throw that no run comes to may be gone, and with it the outcome.
  auto difference = which == Passes::Relevance ? same_calls(expected, synthesis->interface)
                                               : compare(expected, synthesis->interface);
  if (difference) return *difference + "\n" + print_module(passed->module());
  const CheckReport report = check_evidence(synthesis->interface, *passed, {});
  if (!report.rejected.empty()) return to_string(report.rejected[0]);
  if (tally) {
    ++tally->agreed;
    if (print_module(passed->module()).size() + 20 < print_module(plain->module()).size())
      ++tally->smaller;
  }
  return std::nullopt;
}

void expect_agreement(Passes which, std::uint64_t first) {
  const Seeds seeds = random_seeds(full_count, sample_count);
  Tally tally;
  int shown = 0;
  for (std::uint64_t seed = seeds.first + first; seed < seeds.end && shown < 3; seed += parts) {
    const RandomComponent random = random_component(
        seed, {.nondeterministic = seed % 3 != 0, .bounded_state = true, .compare_maps = false});
    if (!disagreement(which, random, &tally)) continue;
    ++shown;
    const RandomComponent small = shrink(random, [&](const RandomComponent& c) {
      return disagreement(which, c, nullptr).has_value();
    });
    ADD_FAILURE() << "seed " << seed << ": " << *disagreement(which, small, nullptr)
                  << "\noptions: " << small.options_text() << "\n"
                  << small.tir();
  }
  fmt::print("{} components agree, {} of them made smaller; {} too large\n", tally.agreed,
             tally.smaller, tally.too_large);
  EXPECT_GE(tally.agreed * 3, seeds.count() / parts);
  EXPECT_GE(tally.smaller * 20, tally.agreed) << "the passes should have something to do";
}

class PassesAgainstBruteForce : public testing::TestWithParam<std::uint64_t> {};

TEST_P(PassesAgainstBruteForce, KeepTheProtocolOfRandomComponents) {
  expect_agreement(Passes::AfterInlining, GetParam());
}

TEST_P(PassesAgainstBruteForce, RelevantCodeHasTheSameProtocol) {
  expect_agreement(Passes::Relevance, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, PassesAgainstBruteForce, testing::Range(std::uint64_t{0}, parts));

} // namespace
} // namespace tacit
