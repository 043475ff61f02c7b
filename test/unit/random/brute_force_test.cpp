// The yardstick itself, on components whose answer is plain to see.
#include <gtest/gtest.h>

#include "program/text/read.h"
#include "support/brute_force.h"
#include "synthesis/finite/direct.h"

namespace tacit {
namespace {

struct Made {
  Component component;
  BruteForce answer;

  const Belief& start(std::size_t constructor = 0) const {
    return answer.beliefs.at(answer.start.at(constructor).value());
  }
};

std::unique_ptr<Made> make(std::string_view text, Arguments arguments = Arguments::Demonic,
                           bool serial = false) {
  const auto module = read_module(text, "test.tir");
  EXPECT_TRUE(module) << to_string(module.error());
  auto component = build_component(*module, {.arguments = arguments});
  EXPECT_TRUE(component) << to_string(component.error());
  auto made = std::make_unique<Made>(Made{std::move(*component), {}});
  made->answer = brute_force(made->component, serial);
  return made;
}

constexpr std::string_view lock = R"(component Lock
state held : bool = false
method acquire() : bool { if (held) error twice; if (*) held := true; return held; }
method release() { if (!held) error free; held := false; return; }
)";

TEST(BruteForce, KnowsALock) {
  const auto made = make(lock);
  EXPECT_EQ(made->answer.beliefs.size(), 2u);
  EXPECT_EQ(fewest_states(made->answer), 2u);
  EXPECT_EQ(made->start().allowed, (std::vector<bool>{true, false}));
  EXPECT_EQ(made->start().next[0].size(), 2u); // returns=false, returns=true
}

TEST(BruteForce, ComparesEveryState) {
  const auto made = make(lock);
  Budget budget;
  auto found = synthesise_direct(made->component, {}, budget);
  ASSERT_TRUE(found);
  EXPECT_FALSE(compare(made->answer, found->interface));
  Interface changed = found->interface;
  changed.transitions.front().to = 1 - changed.transitions.front().to;
  EXPECT_TRUE(compare(made->answer, changed));
  changed = found->interface;
  changed.states[1].allows.flip();
  EXPECT_TRUE(compare(made->answer, changed));
}

constexpr std::string_view picky = R"(component Picky
exception X
state on : bool = false
method m(a : int [0..2]) {
  if (a == 0) error zero;
  if (a == 1) { if (on) throw X; return; }
  assume false;
  return;
}
method set() { on := true; return; }
)";

TEST(BruteForce, ReadsArgumentsBothWays) {
  // a == 0 errs, a == 1 is served until it is refused, a == 2 has no run and counts for nothing.
  EXPECT_EQ(make(picky)->start().allowed, (std::vector<bool>{false, true}));
  const auto angelic = make(picky, Arguments::Angelic);
  EXPECT_EQ(angelic->start().allowed, (std::vector<bool>{true, true}));
  const Belief& on = angelic->answer.beliefs.at(angelic->start().next[1].at(0));
  EXPECT_EQ(on.allowed, (std::vector<bool>{false, true}));
}

TEST(BruteForce, StartsInAllResultsOfAConstructor) {
  const auto made = make(R"(component Starts
exception X
state s : int [0..2]
constructor Any() { return; }
constructor Bad(a : bool) { if (a && s == 2) error bad; return; }
constructor Never() { throw X; }
method m() { if (s == 2) error two; return; }
)");
  EXPECT_EQ(made->start(0).states.size(), 3u);
  EXPECT_EQ(made->start(0).allowed, (std::vector<bool>{false}));
  EXPECT_EQ(made->answer.constructor_errs, (std::vector<bool>{false, true, false}));
  EXPECT_FALSE(made->answer.start[1]);
  EXPECT_FALSE(made->answer.start[2]);
}

TEST(BruteForce, PrunesCallsThatMayEndInADeadState) {
  constexpr std::string_view text = R"(component Once
state left : int [0..2] = 2
method use() { if (left == 0) error empty; left := left - 1; return; }
method refill() { if (left == 0) error empty; left := 2; return; }
)";
  EXPECT_EQ(fewest_states(make(text)->answer), 3u);
  const auto serial = make(text, Arguments::Demonic, true);
  EXPECT_EQ(fewest_states(serial->answer), 2u);
  const Belief& last = serial->answer.beliefs.at(serial->start().next[0].at(0));
  EXPECT_EQ(last.allowed, (std::vector<bool>{false, true}));
}

} // namespace
} // namespace tacit
