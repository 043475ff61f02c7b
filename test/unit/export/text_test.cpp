#include "export/text.h"

#include <gtest/gtest.h>

#include "export/layout.h"
#include "export/moves.h"
#include "interface/utf8.h"
#include "unit/interface/examples.h"

namespace tacit {
namespace {

TEST(Text, ShowsTheLock) {
  EXPECT_EQ(show_text(test::lock()), R"(Lock (tir), engine permissive

2 states, proved safe, permissive and full under 2 assumptions.
  full: visibly deterministic

Starts
  Lock       → 0
  Lock(bool) → 1
  Lock(null) refused: assert at lock.tir:3

States
  0  !held
     lock:returns=true → 1
     lock:returns=false, query ↺
  1  held
     query ↺
     unlock → 0

Refused
  unlock in state 0: assert at lock.tir:12
    shortest: unlock
  lock in state 1: assert at lock.tir:7
    shortest: lock:returns=true · lock

Legal words
  from 0: (lock:returns=false | query | lock:returns=true query* unlock)*
    (lock:returns=true query*)?
  from 1: (query | unlock (lock:returns=false | query)* lock:returns=true)*
    (unlock (lock:returns=false | query)*)?

Assumptions
  - no overflow
  - clock() does not call back
)");
}

TEST(Text, SaysHowStrongEachClaimIs) {
  Interface lock = test::lock();
  lock.verdict.full = Claim::Unknown;
  EXPECT_EQ(verdict_sentence(lock),
            "2 states, proved safe and permissive, unknown whether full, under 2 assumptions.");
  lock.verdict.permissive = Claim::Refuted;
  lock.verdict.assumptions.pop_back();
  EXPECT_EQ(verdict_sentence(lock),
            "2 states, proved safe, not permissive, unknown whether full, under 1 assumption.");
  lock.verdict.safe = Claim::Bounded;
  lock.verdict.assumptions.clear();
  lock.states.pop_back();
  EXPECT_EQ(verdict_sentence(lock),
            "1 state, safe up to a bound, not permissive, unknown whether full.");
  lock.verdict.safe = lock.verdict.permissive = Claim::Unknown;
  EXPECT_EQ(verdict_sentence(lock), "1 state, unknown whether safe or permissive or full.");
}

TEST(Text, SummarisesLargeAutomata) {
  Interface chain = test::chain(1000);
  EXPECT_EQ(show_text(chain), R"(Chain

1000 states, unknown whether safe or permissive or full.

Starts
  Chain → 0

Figures
  3001 transitions and 999 refusals; each state allows 2.0 of 3 calls on
  average.
  again  allowed in 1000 states, refused in 0
  next   allowed in 1000 states, refused in 0
  stop   allowed in 1 state, refused in 999
)");
}

TEST(Text, FitsTheTerminal) {
  Interface lock = test::lock();
  lock.states[0].label = "größe > 0";
  for (int i = 0; i < 40; ++i) lock.states[0].label += " && more" + std::to_string(i);
  lock.verdict.assumptions.push_back(
      "the callee java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire does not write "
      "fields of this class");
  lock.verdict.details["safe"] =
      "a detail that goes on and on, so that it does not fit one line of eighty columns";
  for (const std::size_t width : {40u, 80u}) {
    const std::string text = show_text(lock, {.width = width});
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      if (line.find("AbstractQueued") == std::string::npos) {
        EXPECT_LE(utf8_width(line), width) << line;
      }
      at = end + 1;
    }
  }
}

TEST(Text, StatesWithoutLabelsOrMoves) {
  Interface lock = test::lock();
  lock.states[0].label = lock.states[1].label = "";
  lock.states[1].allows = {false, false, false};
  lock.transitions.resize(3);
  const std::string text = show_text(lock);
  EXPECT_NE(text.find("States\n"
                      "  0  lock:returns=true → 1\n"
                      "     lock:returns=false, query ↺\n"
                      "  1\n"
                      "     nothing is allowed\n"),
            std::string::npos)
      << text;
  lock.states[1].allows = {false, true, false};
  EXPECT_NE(show_text(lock).find("     unlock never returns\n"), std::string::npos);
}

TEST(Text, OfNothing) {
  Interface nothing;
  nothing.component_name = "N";
  nothing.serial = true;
  EXPECT_EQ(show_text(nothing),
            "N, for infinite use\n\n0 states, unknown whether safe or permissive or full.\n\n"
            "Starts\n  No constructor can be used.\n");
}

TEST(Text, OfAnEpa) {
  Interface lock = test::lock();
  lock.kind = "epa";
  lock.transitions.push_back({1, 1, 0, 1, {}, {}});
  const std::string text = show_text(lock);
  EXPECT_NE(text.find("Lock (tir), enabledness abstraction, engine"), std::string::npos);
  EXPECT_EQ(text.find("Legal words"), std::string::npos);
  EXPECT_NE(text.find("     query, unlock ↺\n     unlock → 0\n"), std::string::npos) << text;
}

TEST(Layout, WrapsAndShortens) {
  EXPECT_EQ(wrap("one two three", 9, "- ", 2), "- one two\n  three\n");
  EXPECT_EQ(wrap("", 9, "x", 0), "x\n");
  EXPECT_EQ(wrap("averylongword b", 5, "", 2), "averylongword\n  b\n");
  EXPECT_EQ(wrap_items({"a b", "c d", "e"}, ",", 8, "", 1), "a b,\n c d, e\n");
  EXPECT_EQ(shorten("größer", 6), "größer");
  EXPECT_EQ(shorten("größer", 4), "grö…");
  EXPECT_EQ(shorten("a\nb", 4), "a b");
  EXPECT_EQ(enumerate({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(enumerate({}), "");
}

TEST(Moves, MergeLettersOfTheSameTarget) {
  const Interface locked = test::lock();
  const auto moves = moves_of(locked, 0, GuardedText(locked));
  ASSERT_EQ(moves.size(), 2u);
  EXPECT_EQ(letter_texts(moves[1]), (std::vector<std::string>{"lock:returns=false", "query"}));
  Interface lock = test::lock();
  lock.transitions[1].to = 1; // both outcomes lead there
  EXPECT_EQ(letter_texts(moves_of(lock, 0, GuardedText(lock))[0]),
            std::vector<std::string>{"lock"});
}

TEST(Moves, GroupRefusalsByReason) {
  const auto groups = refusal_groups(test::chain(5));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].states, (std::vector<State>{0, 1, 2, 3}));
}

TEST(Text, ShowsGuardsAndTrackedValues) {
  EXPECT_EQ(show_text(test::player()), R"(Player (tir), engine permissive

2 states, proved safe and permissive, unknown whether full.
  errors: error:Range (2 sites), error:State (2 sites)
  never allowed: stop
  left out: position (never fails and changes nothing)
  set aside: load may also err at player.tir:7, whatever you do: disk.read()
    decides

Tracked values
  d : int, duration() (length)
  n : int (streams)
  m : Mode (mode)

Starts
  Player(limit) when 1 <= limit / d := 0, m := Slow, n := 0 → 0

States
  0  !loaded
     close when n > 0 / n := n - 1 ↺
     open / n := n + 1 ↺
     speed(wanted) when wanted != m / m := wanted ↺
     load(url, duration) when url != null && url.size > 0 && 0 <= duration / d
       := duration → 1
  1  loaded
     close when n > 0 / n := n - 1 ↺
     load(url, duration) when url != null && url.size > 0 && 0 <= duration / d
       := duration ↺
     open / n := n + 1 ↺
     seek(ms):returns=true when 0 <= ms && ms <= duration() && ms < duration() ↺
     seek(ms):returns=false when 0 <= ms && ms <= duration() && duration() <= ms
       ↺
     speed(wanted) when wanted != m / m := wanted ↺

Refused
  seek in state 0: State at player.tir:8
    shortest: seek
  stop in states 0, 1: State at player.tir:20
    shortest: stop
  seek in state 1: Range at player.tir:9
    shortest: load("a", 5) · seek(-1)
)");
}

TEST(Text, CellsAndUpdatesKeepOutcomesApart) {
  Interface player = test::player();
  const auto letters = [&] {
    std::string all;
    for (const MergedMove& move : moves_of(player, 1, GuardedText(player)))
      for (const std::string& text : letter_texts(move)) all += text + "\n";
    return all;
  };
  for (InterfaceTransition& t : player.transitions)
    if (t.call == 1) t.when.clear();
  EXPECT_NE(letters().find("seek(ms) when 0 <= ms && ms <= duration()\n"), std::string::npos);
  for (InterfaceTransition& t : player.transitions)
    if (t.call == 1 && t.outcome == 1) t.set["d"] = "ms";
  EXPECT_NE(letters().find("seek(ms):returns=false when 0 <= ms && ms <= duration() / d := ms\n"),
            std::string::npos);
  player.transitions[7].when = "ms == 1 || ms == 2";
  EXPECT_NE(letters().find("when 0 <= ms && ms <= duration() && (ms == 1 || ms == 2)"),
            std::string::npos);
}

} // namespace
} // namespace tacit
