#include "export/diagram.h"

#include <map>

#include <gtest/gtest.h>

#include "export/drawing.h"
#include "export/formal.h"
#include "unit/interface/examples.h"

namespace tacit {
namespace {

TEST(Drawing, MergesParallelLetters) {
  const Drawing drawing = drawing_of(test::lock());
  ASSERT_EQ(drawing.nodes.size(), 2u);
  ASSERT_EQ(drawing.edges.size(), 4u);
  EXPECT_EQ(drawing.edges[1].from, 0u);
  EXPECT_EQ(drawing.edges[1].to, 0u);
  EXPECT_EQ(edge_lines(drawing.edges[1], 12, 60),
            (std::vector<std::string>{"lock:returns=false", "query"}));
  EXPECT_EQ(edge_lines(drawing.edges[1], 1, 6),
            (std::vector<std::string>{"lock:…", "… and 1 more"}));
  EXPECT_EQ(drawing.edges[1].letters[1].transitions, std::vector<std::size_t>{2});
}

/// An enabledness abstraction may reach several states with one letter.
TEST(Drawing, AllowsNondeterminism) {
  Interface epa = test::lock();
  epa.kind = "epa";
  epa.transitions = {{0, 0, 0, 0, {}, {}}, {0, 0, 0, 1, {}, {}}, {0, 0, 1, 1, {}, {}}};
  const Drawing drawing = drawing_of(epa);
  ASSERT_EQ(drawing.edges.size(), 2u);
  EXPECT_EQ(edge_lines(drawing.edges[0], 9, 60), std::vector<std::string>{"lock:returns=true"});
  EXPECT_EQ(edge_lines(drawing.edges[1], 9, 60), std::vector<std::string>{"lock"});
}

TEST(Drawing, CondensesOutcomesThatBeginAlike) {
  Interface lock = test::lock();
  lock.calls[0].outcomes = {"returns", "throws=A", "throws=B"};
  lock.transitions = {{0, 0, 0, 1, {}, {}}, {0, 0, 1, 0, {}, {}}, {0, 0, 2, 0, {}, {}}};
  Drawing drawing = drawing_of(lock);
  ASSERT_EQ(drawing.edges.size(), 2u);
  EXPECT_EQ(edge_lines(drawing.edges[1], 9, 60), std::vector<std::string>{"lock:throws=*"});
  EXPECT_EQ(drawing.edges[1].letters[0].transitions, (std::vector<std::size_t>{1, 2}));
  lock.transitions[2].to = 1;
  drawing = drawing_of(lock);
  EXPECT_EQ(edge_lines(drawing.edges[1], 9, 60), std::vector<std::string>{"lock:throws=A"});
}

TEST(Drawing, CutsLabels) {
  EXPECT_EQ(node_lines({3, ""}, 10), std::vector<std::string>{"3"});
  EXPECT_EQ(node_lines({3, "aaaa bbbb cccc"}, 9),
            (std::vector<std::string>{"3", "aaaa bbbb", "cccc"}));
  const auto lines = node_lines({3, std::string(500, 'x')}, 10);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1], "xxxxxxxxx…");
}

std::string in_markdown(std::string_view name) { return markdown_code(name); }

TEST(Rules, AreSentences) {
  const auto rules = call_rules(test::lock(), in_markdown);
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules[2].sentence, "");
  EXPECT_EQ(rules[0].sentence, "only after `unlock` or the constructor `Lock`, until "
                               "`lock:returns=true`");
  EXPECT_EQ(rules[1].sentence,
            "only after `lock:returns=true` or the constructor `Lock(bool)`, once");
}

/// A letter that decides in one state only makes no rule; the states are named then.
TEST(Rules, AreNotClaimedWhereTheyAreNotExact) {
  Interface result;
  result.component_name = "X";
  result.calls = {{"a", {"any"}}, {"b", {"any"}}};
  result.constructors = {"X"};
  result.initial = {{"X", 0}};
  // b is allowed after the second a only.
  result.states = {{{true, false}, ""}, {{true, false}, ""}, {{true, true}, ""}};
  result.transitions = {
      {0, 0, 0, 1, {}, {}}, {1, 0, 0, 2, {}, {}}, {2, 0, 0, 2, {}, {}}, {2, 1, 0, 2, {}, {}}};
  EXPECT_EQ(call_rules(result, in_markdown)[1].sentence, "only in state 2; not before `a`");
}

TEST(Diagrams, EscapeNames) {
  Interface lock = test::lock();
  lock.calls[1].name = "a\"b|c\n`d";
  EXPECT_NE(show_mermaid(lock).find(" : a#34;b#124;c #96;d\n"), std::string::npos)
      << show_mermaid(lock);
  EXPECT_NE(show_plantuml(lock).find(" : a<U+0022>b<U+007C>c <U+0060>d\n"), std::string::npos)
      << show_plantuml(lock);
  EXPECT_NE(show_markdown(lock).find("<code>a&#34;b&#124;c &#96;d</code>"), std::string::npos)
      << show_markdown(lock);
  EXPECT_NE(show_aut(lock).find("(1, \"a%22b|c%0A`d\", 0)"), std::string::npos) << show_aut(lock);
  EXPECT_NE(show_scxml(lock).find("event=\"a_22b_7Cc_0A_60d\" target=\"s0\""), std::string::npos)
      << show_scxml(lock);
}

TEST(Formal, HasOneStartBeforeSeveral) {
  EXPECT_EQ(show_aut(test::lock()), R"~(des (2, 7, 3)
(2, "Lock", 0)
(2, "Lock(bool)", 1)
(0, "lock:returns=true", 1)
(0, "lock:returns=false", 0)
(0, "query", 0)
(1, "query", 1)
(1, "unlock", 0)
)~");
}

TEST(Rules, SayWhatArgumentsHaveToSatisfy) {
  std::map<std::string, std::string> sentences;
  for (const CallRule& rule : call_rules(
           test::player(), [](std::string_view text) { return "`" + std::string(text) + "`"; }))
    sentences[rule.call] = rule.sentence;
  EXPECT_EQ(sentences["seek"], "only after `load`; when `0 <= ms && ms <= duration()`");
  EXPECT_EQ(sentences["close"], "when `n > 0`");
  EXPECT_EQ(sentences["open"], "");
  EXPECT_EQ(sentences["stop"], "never");
}

} // namespace
} // namespace tacit
