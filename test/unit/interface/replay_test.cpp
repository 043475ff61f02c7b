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

// ---- guarded interfaces

ReplayReport played(const std::vector<std::string>& letters,
                    std::optional<std::string> constructor = "Player(3)") {
  const Interface player = test::player();
  auto report = replay_word(player, letters, std::move(constructor));
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
  return report ? std::move(*report) : ReplayReport{};
}

TEST(GuardedReplay, FollowsArgumentsAndTrackedValues) {
  const ReplayReport report =
      played({"load(\"a.mp4\", 100)", "seek(100)=false", "open()=7", "speed(Fast)", "close"});
  EXPECT_EQ(report.end(), ReplayEnd::Legal);
  EXPECT_EQ(print_replay(test::player(), report),
            "Player(3) → state 0\n"
            "  1. load(\"a.mp4\", 100) → state 1, duration() = 100, n = 0, m = Slow\n"
            "  2. seek(100)=false    → state 1, duration() = 100, n = 0, m = Slow\n"
            "  3. open()=7           → state 1, duration() = 100, n = 1, m = Slow\n"
            "  4. speed(Fast)        → state 1, duration() = 100, n = 1, m = Fast\n"
            "  5. close              → state 1, duration() = 100, n = 0, m = Fast\n"
            "Legal.\n");
}

TEST(GuardedReplay, SaysWhichGuardRefuses) {
  const ReplayReport report = played({"load(\"a\", 5)", "seek(-1)"});
  EXPECT_EQ(report.end(), ReplayEnd::Refused);
  EXPECT_EQ(
      print_replay(test::player(), report),
      "Player(3) → state 0\n"
      "  1. load(\"a\", 5) → state 1, duration() = 5, n = 0, m = Slow\n"
      "  2. seek(-1)     ✗\n"
      "     in state 1 refused, not 0 <= ms && ms <= duration(), where duration() = 5, n = 0, "
      "m = Slow: Range at player.tir:9\n"
      "     shortest such word: load(\"a\", 5) seek(-1)\n"
      "Not legal: it dies at call 2 of 2.\n");
  EXPECT_EQ(played({"load(\"\", 5)"}).end(), ReplayEnd::Refused);
  EXPECT_EQ(played({"load(null, 5)"}).end(), ReplayEnd::Refused);
  EXPECT_EQ(played({"load(\"a\", -1)"}).end(), ReplayEnd::Refused);
  EXPECT_EQ(played({"close"}).end(), ReplayEnd::Refused); // whatever the arguments: n is 0
  EXPECT_EQ(played({"open", "close", "close"}).end(), ReplayEnd::Refused);
  EXPECT_EQ(played({"speed(Slow)"}).end(), ReplayEnd::Refused);
  EXPECT_EQ(played({"speed(1)"}).end(), ReplayEnd::Refused); // by number
  EXPECT_EQ(played({"speed(Mode::Fast)", "speed(4)"}).steps.size(), 2u);
}

TEST(GuardedReplay, ConstructorsHaveConditions) {
  EXPECT_EQ(played({"open"}, "Player(0)").end(), ReplayEnd::Refused);
  EXPECT_EQ(print_replay(test::player(), played({"open"}, "Player(0)")),
            "Player(0) refused, not 1 <= limit\n"
            "Not legal: it cannot be constructed.\n");
  EXPECT_EQ(played({"open"}, "Player(x)").end(), ReplayEnd::Unknown);
  EXPECT_EQ(played({"open"}, "Player").end(), ReplayEnd::Legal); // some argument that is admitted
  EXPECT_EQ(played({"open"}, std::nullopt).end(), ReplayEnd::Legal);
  EXPECT_EQ(played({"Player(0)", "open"}, std::nullopt).end(), ReplayEnd::Refused);
}

TEST(GuardedReplay, WhatCannotBeEvaluatedIsUnknown) {
  const ReplayReport report = played({"load(\"a\", ?)", "seek(3)"});
  EXPECT_EQ(report.end(), ReplayEnd::Unknown);
  EXPECT_EQ(report.steps[0].stops[0].reason, ReplayStop::Reason::Unknown);
  EXPECT_EQ(played({"load(thing, 3)"}).end(),
            ReplayEnd::Unknown); // an object of which nothing is known
  Interface broken = test::player();
  broken.guards[2].condition = "nobody > 0";
  broken.guards[3].condition = "nobody > 0";
  const ReplayReport unread = replay_word(broken, {"speed(Fast)"}, "Player(3)").value();
  EXPECT_FALSE(unread.unreadable.empty());
  EXPECT_EQ(unread.end(), ReplayEnd::Unknown);
}

TEST(GuardedReplay, CellsDecideWhatCanHappen) {
  EXPECT_EQ(played({"load(\"a\", 5)", "seek(5)=true"}).end(), ReplayEnd::CannotHappen);
  EXPECT_EQ(played({"load(\"a\", 5)", "seek(4)=true"}).end(), ReplayEnd::Legal);
  EXPECT_EQ(played({"load(\"a\", 5)", "seek(4):returns=true"}).end(), ReplayEnd::Legal);
  EXPECT_EQ(played({"load(\"a\", 5)", "seek:returns=true"}).end(), ReplayEnd::Legal);
}

TEST(GuardedReplay, BadLettersAreComplaints) {
  const auto complaint = [](const std::string& letter) {
    return replay_word(test::player(), {letter}, "Player").error().message;
  };
  EXPECT_EQ(complaint("sek(3)"), "unknown call 'sek'; did you mean 'seek'?");
  EXPECT_EQ(complaint("seek(3):throws=E"), "call 'seek' has no outcome 'throws=E'");
  EXPECT_EQ(complaint("seek(3"), "'seek(3': a comma or ')' is missing");
  EXPECT_EQ(replay_word(test::player(), {"open"}, "Plyer(3)").error().message,
            "unknown constructor 'Plyer(3)'; did you mean 'Player'?");
}

} // namespace
} // namespace tacit
