// JIST's game against brute force on random finite components.
//
// On the component itself the exact game finds what the construction of beliefs finds; without it,
// what is found is safe, and most permissive whenever the superset query says so. Through predicate
// abstraction, the result is safe, its evidence is accepted, and it is most permissive for the
// Boolean program when it claims to be; the program prints and reads back.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "check/check.h"
#include "finite/bdd/bdd_oracle.h"
#include "learning/learner.h"
#include "logic/z3/z3_solver.h"
#include "program/ir/verify.h"
#include "program/text/print.h"
#include "program/text/read.h"
#include "support/brute_force.h"
#include "support/random_component.h"
#include "support/volume.h"
#include "synthesis/game/game.h"
#include "synthesis/game/game_teacher.h"

namespace tacit {
namespace {

constexpr std::uint64_t full_count = 1000, sample_count = 80, parts = 4;

/// What an automaton does in a state: by a walk along brute force's beliefs.
struct Walker {
  std::function<bool(State, std::size_t call)> allows;
  std::function<State(State, std::size_t letter)> next; // no_state: not there
};

enum class Relation { Equal, Below };

/// The first word after which the calls allowed do not relate as wanted.
std::optional<std::string> differ(const BruteForce& expected, std::size_t constructor, State entry,
                                  const Walker& walker, Relation relation) {
  const Component& component = *expected.component;
  struct At {
    std::size_t belief;
    State state;
    std::string word;
  };
  if (!expected.start[constructor]) return std::nullopt;
  std::vector<At> work{{*expected.start[constructor], entry, ""}};
  std::set<std::pair<std::size_t, State>> seen{{work[0].belief, entry}};
  for (std::size_t i = 0; i < work.size(); ++i) {
    const At at = work[i];
    const Belief& belief = expected.beliefs[at.belief];
    for (std::size_t c = 0; c < component.calls().size(); ++c) {
      const bool allowed = walker.allows(at.state, c);
      const std::string word = at.word + " " + component.calls()[c].name;
      if (allowed && !belief.allowed[c]) return "not safe:" + word;
      if (!allowed && belief.allowed[c] && relation == Relation::Equal)
        return "refused though legal:" + word;
      if (!allowed) continue;
      for (const auto& [outcome, after] : belief.next[c]) {
        const State to = walker.next(at.state, component.letter_of(c, outcome));
        if (to == no_state) return "no transition:" + word;
        if (seen.insert({after, to}).second)
          work.push_back({after, to, word + ":" + component.calls()[c].outcomes[outcome]});
      }
    }
  }
  return std::nullopt;
}

Walker walker_of(const Hypothesis& hypothesis, const Component& component) {
  return {[&](State q, std::size_t c) {
            return hypothesis.target(q, static_cast<Letter>(component.letter_of(c, 0))) !=
                   illegal_sink;
          },
          [&](State q, std::size_t l) {
            const State to = hypothesis.target(q, static_cast<Letter>(l));
            return live(to) ? to : no_state;
          }};
}

Walker walker_of(const Interface& found, const Component& component) {
  return {[&](State q, std::size_t c) { return bool(found.states[q].allows[c]); },
          [&](State q, std::size_t l) {
            const CallOutcome at = component.letter(l);
            const auto& outcomes = found.calls[at.call].outcomes;
            return found.next(q, at.call, outcomes.size() == 1 ? 0 : at.outcome);
          }};
}

/// Choices in one body: each doubles the runs.
std::size_t most_choices(const Component& component) {
  std::size_t most = 0;
  for (const Procedure& p : component.module().procedures) {
    std::size_t here = 0;
    for (const Block& b : p.blocks)
      here += static_cast<std::size_t>(
          std::ranges::count(b.statements, StatementKind::Havoc, &Statement::kind));
    most = std::max(most, here);
  }
  return most;
}

class Game : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Game, OnTheComponentItself) {
  const Seeds seeds = random_seeds(full_count, sample_count);
  std::size_t compared = 0, by_superset = 0, by_exact = 0, left_open = 0, improved = 0;
  for (std::uint64_t seed = seeds.first + GetParam(); seed < seeds.end; seed += parts) {
    const RandomComponent random = random_component(
        seed, {.nondeterministic = seed % 5 != 0, .bounded_state = true, .compare_maps = false});
    auto module = read_module(random.tir(), "random.tir");
    ASSERT_TRUE(module.has_value());
    auto component = build_component(*module, random.options);
    ASSERT_TRUE(component.has_value());
    const BruteForce expected = brute_force(*component, false, {.beliefs = 300, .states = 1500});
    if (expected.too_large) continue;
    Budget budget;
    auto oracle = BddOracle::create(*component, budget);
    if (!oracle) continue;
    const std::string label =
        fmt::format("seed {}\n{}{}", seed, random.options_text(), random.tir());
    for (std::size_t k = 0; k < component->constructors().size(); ++k) {
      const Region start = (*oracle)->start(k);
      if (start == empty_region) continue;
      std::size_t heuristic_states = 0;
      for (bool exact : {false, true})
        for (LearnerKind kind : {LearnerKind::Table, LearnerKind::Tree}) {
          ComponentWords words(**oracle, start);
          const GameRules rules{.exact = exact};
          const Story story;
          GameTeacher teacher(**oracle, start, words, rules, story, budget);
          auto learner =
              make_learner(kind, component->letters(), words, {letter_groups(*component), &budget});
          const LearnResult result = learn(*learner, teacher, budget);
          if ((*oracle)->failure()) break;
          ASSERT_TRUE(result.complete) << label;
          const bool most = teacher.end() != GameEnd::Open;
          EXPECT_TRUE(most || !exact) << label;
          const auto wrong =
              differ(expected, k, result.hypothesis.entry, walker_of(result.hypothesis, *component),
                     most ? Relation::Equal : Relation::Below);
          EXPECT_FALSE(wrong.has_value()) << label << *wrong;
          if (HasFailure()) return;
          ++compared;
          by_superset += teacher.end() == GameEnd::Superset;
          by_exact += teacher.end() == GameEnd::Exact;
          left_open += teacher.end() == GameEnd::Open;
          improved += teacher.counts().exact_found > 0;
          if (!exact)
            heuristic_states = result.hypothesis.states();
          else
            EXPECT_GE(result.hypothesis.states(), kind == LearnerKind::Tree ? heuristic_states : 1);
        }
    }
  }
  fmt::print("{} games: {} settled by the superset query, {} by the exact game ({} times it found "
             "more), {} open without it\n",
             compared, by_superset, by_exact, improved, left_open);
  EXPECT_GT(compared, 20u);
}

TEST_P(Game, ThroughPredicates) {
  const Seeds seeds = random_seeds(full_count, sample_count);
  std::size_t compared = 0, proved = 0, most_permissive = 0, refused = 0, played_out = 0;
  std::string notes;
  for (std::uint64_t seed = seeds.first + GetParam(); seed < seeds.end; seed += parts) {
    const RandomComponent random = random_component(
        seed, {.nondeterministic = seed % 3 != 0, .bounded_state = true, .compare_maps = false});
    auto module = read_module(random.tir(), "random.tir");
    ASSERT_TRUE(module.has_value());
    auto component = build_component(*module, random.options);
    ASSERT_TRUE(component.has_value());
    const BruteForce expected = brute_force(*component, false, {.beliefs = 200, .states = 800});
    if (expected.too_large) continue;
    Budget budget(BudgetLimits{.seconds = 20});
    const std::string label =
        fmt::format("seed {}\n{}{}", seed, random.options_text(), random.tir());
    auto program = game_program(*component, {}, budget);
    auto result = synthesise_game(*component, {}, budget);
    if (!program || !result) {
      ++refused;
      notes += fmt::format("seed {} refused: {}\n", seed,
                           to_string(program ? result.error() : program.error()));
      continue;
    }
    const Interface& found = result->interface;
    // Safe for the component.
    auto start = [&](std::size_t k) {
      for (const InitialState& i : found.initial)
        if (i.constructor == component->constructors()[k].name) return std::optional(i.state);
      return std::optional<State>();
    };
    const bool permissive = found.verdict.permissive == Claim::Proved;
    for (std::size_t k = 0; k < component->constructors().size(); ++k)
      if (const auto entry = start(k)) {
        const auto wrong = differ(expected, k, *entry, walker_of(found, *component),
                                  permissive ? Relation::Equal : Relation::Below);
        EXPECT_FALSE(wrong.has_value()) << label << *wrong;
      }
    const CheckReport report = check_evidence(found, *component, {});
    EXPECT_TRUE(report.rejected.empty()) << label << to_string(report.rejected[0]);
    EXPECT_TRUE(report.safe == Claim::Proved) << label;
    // Most permissive for the Boolean program, which is well formed and has a text form.
    EXPECT_TRUE(verify(program->module).empty()) << label << print_module(program->module);
    const std::string text = print_module(program->module);
    auto again = read_module(text, "abstract.tir");
    ASSERT_TRUE(again.has_value()) << label << text << to_string(again.error());
    EXPECT_EQ(print_module(*again), text);
    auto abstract = build_component(*again, {});
    ASSERT_TRUE(abstract.has_value()) << label << text;
    const auto* answer = found.stats.find("answer");
    ASSERT_NE(answer, nullptr);
    const bool most = std::get<std::string>(*answer) == "most permissive for these predicates";
    if (HasFailure()) return;
    ++compared;
    proved += permissive;
    most_permissive += most;
    if (most_choices(*abstract) > 12) continue; // too many runs for brute force
    const BruteForce played = brute_force(*abstract, false, {.beliefs = 300, .states = 1500});
    if (!played.too_large)
      for (std::size_t k = 0; k < abstract->constructors().size(); ++k)
        if (const auto entry = start(k)) {
          const auto wrong = differ(played, k, *entry, walker_of(found, *abstract),
                                    most ? Relation::Equal : Relation::Below);
          EXPECT_FALSE(wrong.has_value()) << label << text << *wrong;
        }
    played_out += !played.too_large;
    if (HasFailure()) return;
  }
  fmt::print(
      "{}{} through predicates: {} most permissive for them ({} compared with brute force), {} "
      "proved for the component, {} refused\n",
      notes, compared, most_permissive, played_out, proved, refused);
  EXPECT_GT(compared, 5u);
  EXPECT_LE(refused * 20, compared);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Game, testing::Range(std::uint64_t{0}, parts));

} // namespace
} // namespace tacit
