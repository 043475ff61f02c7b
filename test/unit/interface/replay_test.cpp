#include "interface/replay.h"

#include <gtest/gtest.h>

#include "unit/interface/examples.h"

namespace tacit {
namespace {

using States = std::vector<State>;

ReplayReport walked(const std::vector<std::string>& letters,
                    std::optional<std::string> constructor = "Lock") {
  return replay_word(test::lock(), letters, std::move(constructor)).value();
}

TEST(Replay, FollowsOutcomes) {
  const ReplayReport report = walked({"lock:returns=true", "query", "unlock"});
  EXPECT_EQ(report.start, States{0});
  ASSERT_EQ(report.steps.size(), 3u);
  EXPECT_EQ(report.steps[0].states, States{1});
  EXPECT_EQ(report.steps[1].states, States{1});
  EXPECT_EQ(report.steps[2].states, States{0});
  EXPECT_EQ(report.end(), ReplayEnd::Legal);
  EXPECT_EQ(print_replay(test::lock(), report), "Lock → state 0\n"
                                                "  1. lock:returns=true → state 1\n"
                                                "  2. query             → state 1\n"
                                                "  3. unlock            → state 0\n"
                                                "Legal.\n");
}

TEST(Replay, WithoutOutcomeFollowsAll) {
  const ReplayReport report = walked({"lock", "unlock", "query"});
  EXPECT_EQ(report.steps[0].states, (States{0, 1}));
  EXPECT_EQ(report.steps[1].states, States{0});
  ASSERT_EQ(report.steps[1].stops.size(), 1u);
  EXPECT_EQ(report.steps[1].stops[0].state, 0u);
  EXPECT_EQ(report.steps[1].stops[0].at, "lock.tir:12");
  EXPECT_EQ(report.end(), ReplayEnd::MayBeRefused);
  EXPECT_EQ(print_replay(test::lock(), report),
            "Lock → state 0\n"
            "  1. lock   → states 0, 1\n"
            "  2. unlock → state 0\n"
            "     but in state 0 refused: assert at lock.tir:12\n"
            "     shortest such word: unlock\n"
            "  3. query  → state 0\n"
            "Not legal: a call is refused, depending on what happened before.\n");
}

TEST(Replay, DiesWhereTheCallIsRefused) {
  const ReplayReport report = walked({"lock:returns=true", "lock", "unlock"});
  ASSERT_EQ(report.steps.size(), 2u);
  EXPECT_TRUE(report.steps[1].states.empty());
  EXPECT_EQ(report.steps[1].stops[0].word, (std::vector<std::string>{"lock:returns=true", "lock"}));
  EXPECT_EQ(report.end(), ReplayEnd::Refused);
  EXPECT_EQ(print_replay(test::lock(), report), "Lock → state 0\n"
                                                "  1. lock:returns=true → state 1\n"
                                                "  2. lock              ✗\n"
                                                "     in state 1 refused: assert at lock.tir:7\n"
                                                "     shortest such word: lock:returns=true lock\n"
                                                "Not legal: it dies at call 2 of 3.\n");
}

TEST(Replay, AnOutcomeMayBeImpossible) {
  Interface lock = test::lock();
  lock.transitions.erase(lock.transitions.begin() + 1); // lock never returns false
  const ReplayReport report = replay_word(lock, {"lock:returns=false"}, "Lock").value();
  EXPECT_EQ(report.end(), ReplayEnd::CannotHappen);
  EXPECT_EQ(report.steps[0].stops[0].reason, ReplayStop::Reason::CannotHappen);
  EXPECT_EQ(print_replay(lock, report),
            "Lock → state 0\n"
            "  1. lock:returns=false ✗\n"
            "     in state 0 cannot happen\n"
            "Cannot happen: call 1 of 1 never has this outcome there.\n");
}

TEST(Replay, StartsAtEveryConstructorUnlessToldWhich) {
  EXPECT_EQ(walked({"query"}, std::nullopt).steps[0].states, (States{0, 1}));
  EXPECT_EQ(walked({"unlock"}, "Lock(bool)").end(), ReplayEnd::Legal);
  const ReplayReport named = walked({"Lock(bool)", "unlock"}, std::nullopt);
  EXPECT_EQ(named.letters, 1u);
  EXPECT_EQ(named.end(), ReplayEnd::Legal);

  const ReplayReport refused = walked({"lock"}, "Lock(null)");
  EXPECT_EQ(refused.end(), ReplayEnd::Refused);
  EXPECT_EQ(print_replay(test::lock(), refused), "Lock(null) refused: assert at lock.tir:3\n"
                                                 "Not legal: it cannot be constructed.\n");
  EXPECT_EQ(print_replay(test::lock(), walked({}, std::nullopt)),
            "Lock → state 0\n"
            "Lock(bool) → state 1\n"
            "Lock(null) refused: assert at lock.tir:3\n"
            "Legal.\n");
}

TEST(Replay, AnEpaHasSeveralRuns) {
  Interface lock = test::lock();
  lock.kind = "epa";
  lock.transitions.push_back({1, 1, 0, 1, {}, {}});
  EXPECT_EQ(replay_word(lock, {"unlock"}, "Lock(bool)")->steps[0].states, (States{0, 1}));
}

TEST(Replay, UnknownNamesAreComplaints) {
  const Interface lock = test::lock();
  EXPECT_EQ(replay_word(lock, {"lock", "unlokc"}).error().message,
            "unknown call 'unlokc'; did you mean 'unlock'?");
  EXPECT_EQ(replay_word(lock, {"unlock", "unlock", "lock:x"}, "Lock").error().message.substr(0, 30),
            "call 'lock' has no outcome 'x'");
  EXPECT_EQ(replay_word(lock, {}, "Lok").error().message.substr(0, 39),
            "unknown constructor 'Lok'; did you mean");
}

} // namespace
} // namespace tacit
