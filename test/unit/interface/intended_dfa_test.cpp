// Automata as text, as they are written by people and by programs.
#include <algorithm>

#include <gtest/gtest.h>

#include "interface/intended.h"

namespace tacit {
namespace {

IntendedProtocol read(std::string_view text) {
  auto made = read_intended_dfa(text, "door.dfa");
  EXPECT_TRUE(made.has_value()) << (made ? "" : to_string(made.error()));
  return made ? *made : IntendedProtocol{};
}

std::string complaint(std::string_view text) {
  const auto made = read_intended_dfa(text, "door.dfa");
  return made ? "none" : to_string(made.error());
}

/// `from letter to`, one a line.
std::string edges(const IntendedProtocol& protocol) {
  std::string text;
  for (const IntendedEdge& edge : protocol.edges)
    text += protocol.states[edge.from] + " " + edge.letter + " " + protocol.states[edge.to] + "\n";
  return text;
}

TEST(IntendedDfa, NeedsNoDeclarations) {
  const auto door = read("# a door\nclosed: open>opened\nopened: close>closed # again\n");
  EXPECT_EQ(edges(door), "closed open opened\nopened close closed\n");
  ASSERT_EQ(door.starts.size(), 1u);
  EXPECT_EQ(door.states[door.starts[0].state], "closed");
  EXPECT_TRUE(door.starts[0].label.empty());
}

TEST(IntendedDfa, EntriesSayWhereItStarts) {
  const auto door = read("letters: open close\nentries: - b b\na: open>b\nb: close>a\n");
  EXPECT_EQ(door.states[door.starts.at(0).state], "b");
  EXPECT_EQ(door.letters, (std::vector<std::string>{"open", "close"}));
}

TEST(IntendedDfa, LettersHaveOutcomesAndQuotes) {
  const auto file = read("q: read:returns=-1>q \"get(int)\">r\n\"r\":\n");
  EXPECT_EQ(edges(file), "q read:returns=-1 q\nq get(int) r\n");
}

/// The letter is spoken of, and refused.
TEST(IntendedDfa, RejectingStatesAreNotEntered) {
  const auto door = read("a: open>b slam>dead\nb [2]: close>a\ndead [0]: open>dead\n");
  EXPECT_EQ(edges(door), "a open b\nb close a\n");
  EXPECT_NE(std::ranges::find(door.letters, "slam"), door.letters.end());
}

TEST(IntendedDfa, CallsMayBeNamedInAComment) {
  EXPECT_EQ(read("# calls: open close\na:\n").letters, (std::vector<std::string>{"open", "close"}));
}

TEST(IntendedDfa, ComplaintsHaveLineAndReason) {
  EXPECT_EQ(complaint(""), "door.dfa:1: error: expected a state");
  EXPECT_EQ(complaint("a: x>a\nb: y>c\n"), "door.dfa:2: error: no line for the state 'c'");
  EXPECT_EQ(complaint("a: x a\n"), "door.dfa:1: error: expected '>' behind the letter 'x'");
  EXPECT_EQ(complaint("a: x>\n"), "door.dfa:1: error: expected a state behind 'x>'");
  EXPECT_EQ(complaint("a:\na:\n"), "door.dfa:2: error: expected a new state, found 'a' again");
  EXPECT_EQ(complaint("a x>a\n"), "door.dfa:1: error: expected 'STATE: LETTER>STATE …'");
  EXPECT_EQ(complaint("\"a: x>a\n"), "door.dfa:1: error: expected '\"' at the end of a name");
  EXPECT_NE(complaint("entries: a b\na: x>b\nb:\n").find("several starts"), std::string::npos);
}

} // namespace
} // namespace tacit
