#include "interface/trace.h"

#include <gtest/gtest.h>

#include "unit/interface/examples.h"

namespace tacit {
namespace {

std::string verdict(const Interface& interface, std::string_view line) {
  const auto trace = read_trace(line, "t.jsonl", 1);
  EXPECT_TRUE(trace.has_value()) << (trace ? "" : trace.error().message);
  return to_json(follow_trace(Walk(interface), *trace));
}
std::string of_player(std::string_view calls, std::string_view arguments = "[3]") {
  return verdict(test::player(), R"~({"constructor": "Player(3)", "constructor_args": )~" +
                                     std::string(arguments) + R"~(, "calls": [)~" +
                                     std::string(calls) + "]}");
}

const std::string fine = R"~({"refused_at":null,"unknown_at":null,"impossible_at":null})~";
const std::string load =
    R"~({"call": "load", "args": ["a", 5], "outcome": "returns", "result": null})~";

TEST(Trace, IsFollowedThroughGuards) {
  EXPECT_EQ(of_player(""), fine);
  EXPECT_EQ(of_player(load), fine);
  EXPECT_EQ(of_player(load + R"~(, {"call": "seek", "args": [5]})~"), fine);
  EXPECT_EQ(of_player(load + R"~(, {"call": "seek", "args": [6]})~"),
            R"~({"refused_at":2,"unknown_at":null,"impossible_at":null})~");
  EXPECT_EQ(of_player(load +
                      R"~(, {"call": "seek", "args": [5], "outcome": "returns", "result": true})~"),
            R"~({"refused_at":null,"unknown_at":null,"impossible_at":2})~");
  EXPECT_EQ(
      of_player(load +
                R"~(, {"call": "seek", "args": [5], "outcome": "throws=E", "result": null})~"),
      R"~({"refused_at":null,"unknown_at":null,"impossible_at":2})~");
  EXPECT_EQ(of_player(load + R"~(, {"call": "seek", "args": [1.5]})~"),
            R"~({"refused_at":null,"unknown_at":2,"impossible_at":null})~");
  EXPECT_EQ(of_player(R"~({"call": "dance", "args": []})~"),
            R"~({"refused_at":null,"unknown_at":1,"impossible_at":null})~");
  EXPECT_EQ(of_player("", "[0]"), R"~({"refused_at":0,"unknown_at":null,"impossible_at":null})~");
  EXPECT_EQ(of_player("", "[null]"),
            R"~({"refused_at":null,"unknown_at":0,"impossible_at":null})~");
  EXPECT_EQ(of_player("", "[]"), R"~({"refused_at":null,"unknown_at":0,"impossible_at":null})~");
}

TEST(Trace, EnumeratorsGoByNameOrNumber) {
  const auto speed = [](std::string_view value) {
    return of_player(R"~({"call": "speed", "args": [)~" + std::string(value) + "]}");
  };
  EXPECT_EQ(speed(R"~("Fast")~"), fine);
  EXPECT_EQ(speed(R"~("Mode::Fast")~"), fine);
  EXPECT_EQ(speed("4"), fine);
  EXPECT_EQ(speed(R"~("Slow")~"), R"~({"refused_at":1,"unknown_at":null,"impossible_at":null})~");
  EXPECT_EQ(speed(R"~("Sideways")~"),
            R"~({"refused_at":null,"unknown_at":1,"impossible_at":null})~");
}

TEST(Trace, RefusalsThatRestOnCalleesSayOnWhich) {
  Interface player = test::player();
  for (Refusal& refusal : player.forbidden)
    if (refusal.error == "State") refusal.needs = {{1, "seek", "disk.read()", "returns", {}, true}};
  EXPECT_EQ(verdict(player,
                    R"~({"constructor": "Player(3)", "calls": [{"call": "seek", "args": [1]}]})~"),
            R"~({"refused_at":1,"unknown_at":null,"impossible_at":null,"needs":["disk.read()"]})~");
  for (Refusal& refusal : player.forbidden)
    for (OpaqueNeed& need : refusal.needs) need.only = false; // other runs err without it
  EXPECT_EQ(verdict(player,
                    R"~({"constructor": "Player(3)", "calls": [{"call": "seek", "args": [1]}]})~"),
            R"~({"refused_at":1,"unknown_at":null,"impossible_at":null})~");
}

TEST(Trace, IsFollowedThroughLetters) {
  const auto lock = [](std::string_view calls) {
    return verdict(test::lock(),
                   R"~({"constructor": "Lock()", "calls": [)~" + std::string(calls) + "]}");
  };
  const std::string locked =
      R"~({"call": "lock", "args": ["$self", true], "outcome": "returns", "result": true})~";
  EXPECT_EQ(lock(locked), fine);
  EXPECT_EQ(lock(locked + R"~(, {"call": "unlock()", "args": ["$self"]})~"), fine);
  EXPECT_EQ(lock(locked + ", " + locked),
            R"~({"refused_at":2,"unknown_at":null,"impossible_at":null})~");
  EXPECT_EQ(lock(R"~({"call": "lock", "args": [], "outcome": "throws=E", "result": null})~"),
            R"~({"refused_at":null,"unknown_at":null,"impossible_at":1})~");
  // Whether it was taken is not told: then some state refuses.
  EXPECT_EQ(lock(R"~({"call": "lock", "args": [], "outcome": "returns"},)~" + locked),
            R"~({"refused_at":null,"unknown_at":2,"impossible_at":null})~");
}

TEST(Trace, LettersSplitByHandGoByTheirConditions) {
  Interface split = test::lock();
  split.tir = "component Lock\nstate held : bool = false\n"
              "method lock(now : int) : bool { return true; }\nmethod unlock() { return; }\n";
  split.options.letters = {"unlock_now = unlock when true", "lock_late = lock when now > 5"};
  split.calls.push_back({"lock_late", {"any"}});
  for (InterfaceState& state : split.states) state.allows.push_back(state.allows[1]);
  const auto verdict_of = [&](std::string_view argument) {
    return verdict(split, R"~({"constructor": "Lock()", "calls": [{"call": "lock", "args": [)~" +
                              std::string(argument) + "]}]}");
  };
  EXPECT_EQ(verdict_of("3"), fine); // lock, which state 0 allows
  EXPECT_EQ(verdict_of("6"), R"~({"refused_at":1,"unknown_at":null,"impossible_at":null})~");
  EXPECT_EQ(verdict_of("1.5"), R"~({"refused_at":null,"unknown_at":1,"impossible_at":null})~");
}

TEST(Trace, BadLinesAreComplaints) {
  EXPECT_EQ(to_string(read_trace("{}", "t.jsonl", 4).error()),
            "t.jsonl:4:1: error: the field 'constructor' is missing");
  EXPECT_FALSE(read_trace(R"~({"constructor": "A", "calls": [{"call": 3, "args": []}]})~", "t", 1));
  EXPECT_FALSE(read_trace(R"~({"constructor": "A", "calls": []} x)~", "t", 1));
  EXPECT_FALSE(read_trace("", "t", 1));
}

TEST(Trace, IsDescribedForPeople) {
  const RecordedTrace trace =
      read_trace(
          R"~({"constructor": "Player(3)", "calls": [{"call": "seek(int)", "args": [-1]}]})~", "t",
          1)
          .value();
  EXPECT_EQ(describe(follow_trace(Walk(test::player()), trace), trace),
            "refused at call 1, seek(-1)");
}

} // namespace
} // namespace tacit
