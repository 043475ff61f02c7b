// What is out of reach for explicit states: wide scalars that do not matter, and positions of many
// bits.
#include <gtest/gtest.h>

#include "base/timer.h"
#include "finite/bdd/bdd_oracle.h"
#include "finite/explicit.h"
#include "logic/term/print.h"
#include "program/text/read.h"
#include "synthesis/protocol/explore.h"

namespace tacit {
namespace {

Component built(const std::string& text, ComponentOptions options = {}) {
  auto module = read_module(text, "test.tir");
  if (!module) throw std::runtime_error(to_string(module.error()));
  auto component = build_component(*module, options);
  if (!component) throw std::runtime_error(to_string(component.error()));
  return std::move(*component);
}

struct Explored {
  std::size_t regions = 0, states = 0;
  double seconds = 0, reached = 0;
};

Explored explored(const Component& component, const std::string& name) {
  Budget budget;
  const Timer timer;
  auto oracle = BddOracle::create(component, budget);
  if (!oracle) throw std::runtime_error(to_string(oracle.error()));
  auto found = explore(**oracle, budget);
  if (!found) throw std::runtime_error(to_string(found.error()));
  Explored result{found->regions.size(), minimal(found->protocol, component).protocol.dfa.states(),
                  timer.seconds()};
  result.reached = (*oracle)->count((*oracle)->unite(found->regions));
  fmt::print("{}: {} regions, {} states, {:.4g} component states, {:.3f} s\n", name, result.regions,
             result.states, result.reached, result.seconds);
  return result;
}

const char* const server_table_entry = R"(component ServerTableEntry
enum Mode { ACTIVATING, DE_ACTIVATED, ACTIVATED, RUNNING, HELD_DOWN }
state mode : Mode = ACTIVATING
state server_id : int [0..1152921504606846975]
state retries : int [0..4095] = 0
state process_alive : bool = false
constructor make(id : int [0..1152921504606846975]) { server_id := id; return; }
method activate() { mode := ACTIVATED; process_alive := true; if (retries < 4095) retries := retries + 1; return; }
method register() { if (mode != ACTIVATED) error INTERNAL; return; }
method registerPorts() { if (mode == ACTIVATED) { mode := RUNNING; retries := 0; } return; }
method rename(id : int [0..1152921504606846975]) : bool {
  if (id == server_id) return false;
  server_id := id;
  return true;
}
method install() { if (mode != RUNNING) error INTERNAL; return; }
method uninstall() { if (mode != RUNNING) error INTERNAL; mode := DE_ACTIVATED; process_alive := false; return; }
method holdDown() { mode := HELD_DOWN; process_alive := false; return; }
)";

TEST(BddScaling, ServerIdOfSixtyBits) {
  const Component component = built(server_table_entry);
  Budget budget;
  auto oracle = BddOracle::create(component, budget);
  ASSERT_TRUE(oracle);
  const Region start = (*oracle)->start(0);
  EXPECT_EQ(to_string(*(*oracle)->describe(start)),
            "mode == ACTIVATING && retries == 0 && !process_alive");
  EXPECT_DOUBLE_EQ((*oracle)->count(start), 0x1p60);
  const std::size_t renamed = component.letter_of(*component.find_call("rename"), 0);
  const auto example = (*oracle)->example((*oracle)->pick(start), renamed);
  ASSERT_TRUE(example);
  EXPECT_TRUE(run_step(component, example->before, example->step).after == example->after);
}

/// With the retries told apart there would be as many regions as retries.
TEST(BddScaling, ServerTableEntryExplores) {
  std::string text = server_table_entry;
  const std::string counted = "if (retries < 4095) retries := retries + 1;";
  text.replace(text.find(counted), counted.size(), "havoc retries;");
  const Explored result = explored(built(text), "ServerTableEntry, 60-bit id");
  EXPECT_EQ(result.states, 3u);
  EXPECT_LT(result.seconds, 1.0);
}

TEST(BddScaling, ServerTableEntryWithFewRetries) {
  std::string text = server_table_entry;
  for (const std::string& from : {std::string("4095"), std::string("4095")})
    text.replace(text.find(from), 4, "15");
  EXPECT_EQ(explored(built(text), "ServerTableEntry, 60-bit id, 16 retries").states, 3u);
}

TEST(BddScaling, PipedOutputStreamWithIrrelevantBits) {
  std::string text = R"(component PipedOutputStream
state has_sink : bool = false
state sink_connected : bool = false
state sink_closed_by_writer : bool = false
state buffered : int [0..1023] = 0
)";
  for (int i = 0; i < 40; ++i) text += fmt::format("state bit{} : bool\n", i);
  text += R"(
method connect() {
  if (has_sink || sink_connected) error IOException;
  has_sink := true;
  sink_connected := true;
  havoc buffered;
  bit0 := bit1 && !bit2;
  return;
}
method write(b : bool) {
  if (!has_sink) error IOException;
  if (!sink_connected) error IOException;
  if (sink_closed_by_writer) error IOException;
  havoc buffered;
  bit3 := b;
  bit4 := bit5;
  bit5 := bit4 != bit6;
  return;
}
method flush() { bit7 := !bit7; bit8 := bit7; return; }
method close() { if (has_sink) sink_closed_by_writer := true; return; }
)";
  const Explored result = explored(built(text), "PipedOutputStream, 40 irrelevant bits");
  EXPECT_EQ(result.states, 3u);
  EXPECT_LT(result.seconds, 1.0);
}

/// The window of examples/list_iterator_blind, 2^bits wide.
std::string list_iterator(int bits) {
  const int top = (1 << bits) - 1;
  std::string text = R"(component ListItrBlind
state size : int [0..TOP]
state cursor : int [0..TOP] = 0
state last : int [-1..TOP] = -1
constructor ListItr(index : int [0..TOP]) { assume index <= size; cursor := index; return; }
procedure move_window() {
  var by : int [-TOP..TOP];
  havoc by;
  cursor := cursor + by;
  if (last >= 0) { assume last + by >= 0; last := last + by; }
  havoc size;
  assume cursor <= size && last < size;
  return;
}
method next() { call move_window(); assume cursor < size; last := cursor; cursor := cursor + 1; return; }
method previous() { call move_window(); assume cursor > 0; cursor := cursor - 1; last := cursor; return; }
method remove() {
  call move_window();
  if (last < 0) error IllegalState;
  if (last < cursor) cursor := cursor - 1;
  size := size - 1;
  last := -1;
  return;
}
method set() { call move_window(); if (last < 0) error IllegalState; return; }
method add() { call move_window(); size := size + 1; cursor := cursor + 1; last := -1; return; }
)";
  for (std::size_t at = text.find("TOP"); at != std::string::npos; at = text.find("TOP"))
    text.replace(at, 3, std::to_string(top));
  return text;
}

TEST(BddScaling, ListIteratorWithWindow) {
  for (int bits : {4, 8, 10, 16, 32 - 2}) {
    const Explored result =
        explored(built(list_iterator(bits)), fmt::format("ListIterator, window, {} bits", bits));
    EXPECT_EQ(result.states, 2u);
    EXPECT_LT(result.seconds, 5.0);
  }
}

/// Positions without a window, outcomes hidden: the exact interface counts what fits, one region
/// per count.
TEST(BddScaling, ListIteratorThatCounts) {
  for (int bits : {8, 10}) {
    const int top = (1 << bits) - 1;
    std::string text = R"(component ListItr
exception NoSuchElement
state size : int [0..TOP]
state cursor : int [0..TOP] = 0
state last : int [-1..TOP] = -1
constructor ListItr(index : int [0..TOP]) { assume index <= size; cursor := index; return; }
method next() { if (cursor >= size) throw NoSuchElement; last := cursor; cursor := cursor + 1; return; }
method previous() { if (cursor <= 0) throw NoSuchElement; cursor := cursor - 1; last := cursor; return; }
method remove() {
  if (last < 0) error IllegalState;
  if (last < cursor) cursor := cursor - 1;
  size := size - 1;
  last := -1;
  return;
}
method set() { if (last < 0) error IllegalState; return; }
)";
    for (std::size_t at = text.find("TOP"); at != std::string::npos; at = text.find("TOP"))
      text.replace(at, 3, std::to_string(top));
    const Component component = built(text);
    Budget budget(BudgetLimits{.seconds = 2.0});
    const Timer timer;
    auto oracle = BddOracle::create(component, budget);
    ASSERT_TRUE(oracle) << to_string(oracle.error());
    const double created = timer.seconds();
    // What a word may have reached at all, as sets.
    Region all = (*oracle)->start(0), fresh = all;
    std::size_t rounds = 0;
    while (fresh != empty_region) {
      std::vector<Region> after{all};
      for (std::size_t l = 0; l < component.letters(); ++l)
        after.push_back((*oracle)->post(fresh, l));
      const Region grown = (*oracle)->unite(after);
      fresh = (*oracle)->minus(grown, all);
      all = grown;
      ++rounds;
    }
    ASSERT_FALSE((*oracle)->failure());
    fmt::print("ListIterator, {} bits: relations {:.3f} s; {:.4g} states reached in {} rounds, {} "
               "nodes, {:.3f} s\n",
               bits, created, (*oracle)->count(all), rounds, (*oracle)->nodes(all),
               timer.seconds());
    const double n = top + 1;
    EXPECT_EQ((*oracle)->count(all), (n * n + n) / 2 + n * (n - 1) / 2 * 2);
    EXPECT_LT(timer.seconds(), 5.0);
  }
}

TEST(BddScaling, TheBudgetRunsOutAsAFailure) {
  // The middle bits of a product have no small diagram in any order.
  const Component component = built(R"(component Product
state a : int [0..1073741823]
state b : int [0..1073741823]
method check() : bool { if (a * b % 1000003 == 77) return true; return false; }
)");
  Budget budget(BudgetLimits{.seconds = 0.5});
  const Timer timer;
  auto oracle = BddOracle::create(component, budget);
  ASSERT_FALSE(oracle);
  EXPECT_NE(oracle.error().message.find("budget"), std::string::npos) << oracle.error().message;
  EXPECT_LT(timer.seconds(), 20.0);
  // The table is fit for use afterwards.
  Budget fresh;
  EXPECT_TRUE(BddOracle::create(built(server_table_entry), fresh));
}

TEST(BddScaling, OraclesLiveSideBySide) {
  const Component one = built(server_table_entry), other = built(list_iterator(3));
  Budget budget;
  auto first = BddOracle::create(one, budget);
  auto second = BddOracle::create(other, budget);
  auto third = BddOracle::create(other, budget);
  ASSERT_TRUE(first && second && third);
  EXPECT_EQ(explore(**second, budget)->regions.size(), explore(**third, budget)->regions.size());
  second->reset();
  EXPECT_EQ((*first)->describe((*first)->start(0)), (*first)->describe((*first)->start(0)));
  EXPECT_TRUE(explore(**third, budget));
}

TEST(BddScaling, CubesAscendByTheFirstVariable) {
  const Component component = built(R"(component C
state n : int [-1..1]
state hidden : int [0..99]
state b : bool
method m() { return; }
)");
  Budget budget;
  auto oracle = BddOracle::create(component, budget);
  ASSERT_TRUE(oracle);
  EXPECT_EQ((*oracle)->variable_name(1), "hidden");
  std::vector<std::string> found;
  for (Region cube : (*oracle)->cubes((*oracle)->everything(), {true, false, true}))
    found.push_back(to_string(*(*oracle)->describe(cube)));
  const std::vector<std::string> expected{"n == -1 && !b", "n == -1 && b", "n == 0 && !b",
                                          "n == 0 && b",   "n == 1 && !b", "n == 1 && b"};
  EXPECT_EQ(found, expected);
}

TEST(BddScaling, UnboundedStateIsRefused) {
  const Component component =
      built("component C\nstate n : int [0..] = 0\nmethod m() { return; }\n");
  Budget budget;
  const auto oracle = BddOracle::create(component, budget);
  ASSERT_FALSE(oracle);
  EXPECT_NE(oracle.error().message.find("'n'"), std::string::npos);
}

} // namespace
} // namespace tacit
