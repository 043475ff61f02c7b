#include <gtest/gtest.h>

#include "automata/text.h"
#include "unit/automata/examples.h"

// Round trips of DOT are with those of the text format, in text_test.cpp.

namespace tacit {
namespace {

TEST(Dot, PrintsTheDialectOfLearnLib) {
  const auto [alphabet, dfa] =
      test::read("letters: a \"b \\\"c\"\nentries: p -\np: a>q\nq [0]: \"b \\\"c\">r\nr [2]:");
  EXPECT_EQ(print_dot(dfa, alphabet), R"(digraph g {
  alphabet="a \"b \\\"c\"";
  s0 [shape="doublecircle" label="s0"];
  s1 [shape="circle" label="s1"];
  s2 [shape="doublecircle" label="s2" colour="2"];
  s0 -> s1 [label="a"];
  s1 -> s2 [label="b \"c"];
  __start0 [label="" shape="none"];
  __start0 -> s0;
  __start1 [label="" shape="none"];
}
)");
}

TEST(Dot, ReadsWhatLearnLibWrites) {
  const auto result = read_dot("digraph g {\n"
                               "\n\ts0 [shape=\"doublecircle\" label=\"0\"];\n"
                               "\ts1 [shape=\"circle\" label=\"1\"];\n"
                               "\ts0 -> s1 [label=\"b\"];\n"
                               "\ts1 -> s0 [label=\"a\"];\n"
                               "\n__start0 [label=\"\" shape=\"none\" width=\"0\" height=\"0\"];\n"
                               "__start0 -> s0;\n\n}\n",
                               "f");
  ASSERT_TRUE(result) << to_string(result.error());
  // Without an alphabet, letters are numbered as they appear.
  EXPECT_EQ(result->first.name(0), "b");
  EXPECT_EQ(result->second, test::dfa("letters: b a\nentries: p\np: b>q\nq [0]: a>p"));
}

TEST(Dot, ToleratesWhitespaceOrderAndUnknownThings) {
  const auto result = read_dot(R"(/* a
  comment */ strict DIGRAPH "my graph"
# preprocessor
{ rankdir=LR node [fontname=Arial]; edge[color="red",style=dotted]
  __start0->x // the entry, before its node
  x->y->x[weight=2.5;label=go]
  y[colour=3,label="any"] x [ label = "it" ] [ shape = doublecircle ] ;;
  alphabet = "stop go" })",
                               "f");
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->second, test::dfa("letters: stop go\nentries: x\ny [3]: go>x\nx: go>y"));
}

struct Bad {
  std::string_view text;
  std::string_view error;
};

TEST(Dot, SaysWhatItExpectedAndWhere) {
  const Bad cases[] = {
      {"", "f:1:1: error: expected 'digraph', found the end of the file"},
      {"graph g {}", "f:1:1: error: expected 'digraph', found 'graph'"},
      {"digraph g\n  x", "f:2:3: error: expected '{', found 'x'"},
      {"digraph {", "f:1:10: error: expected a node, an edge or '}', found the end of the file"},
      {"digraph {} x", "f:1:12: error: expected the end of the file, found 'x'"},
      {"digraph { subgraph c {} }", "f:1:11: error: expected a node or an edge, found a subgraph"},
      {"digraph { a -> }", "f:1:16: error: expected the target of the edge, found '}'"},
      {"digraph { a [shape] }", "f:1:19: error: expected '=', found ']'"},
      {"digraph { a [shape=] }", "f:1:20: error: expected a value, found ']'"},
      {"digraph { a [;] }", "f:1:14: error: expected an attribute or ']', found ';'"},
      {"digraph { a; }", "f:1:11: error: expected node 'a' to have a shape or a colour"},
      {"digraph { a [shape=box]; }",
       "f:1:20: error: expected shape \"circle\" or \"doublecircle\", found 'box'"},
      {"digraph { a [colour=red]; }",
       "f:1:21: error: expected a colour, a number below 2^32, found 'red'"},
      {"digraph { a [colour=1] a [colour=1] }",
       "f:1:24: error: expected a new node, found 'a' again"},
      {"digraph { a [colour=1]\n a -> b [label=x] }",
       "f:2:7: error: expected a state that has a node statement, found 'b'"},
      {"digraph { a [colour=1]\n a -> a }",
       "f:2:2: error: expected the edge from 'a' to 'a' to have a label"},
      {"digraph { a [colour=1]\n a -> a [label=x]\n a -> a [label=x] }",
       "f:3:16: error: expected one transition per letter, found 'x' again from 'a'"},
      {"digraph { alphabet=\"x\" a [colour=1]\n a -> a [label=y] }",
       "f:2:16: error: expected a letter of the alphabet, found 'y'"},
      {"digraph { alphabet=\"x x\" }",
       "f:1:20: error: in the alphabet: expected a new letter, found 'x' again"},
      {"digraph { alphabet=\"x>\" }",
       "f:1:20: error: in the alphabet: expected a letter, found '>'"},
      {"digraph { a [colour=1]\n __start1 -> a }",
       "f:2:2: error: expected a node '__start0' before '__start1'"},
      {"digraph { a [colour=1] __start0 -> a\n __start0 -> a }",
       "f:2:2: error: expected one edge from '__start0', found another"},
      {"digraph { a:n [colour=1] }", "f:1:12: error: expected a name, a quoted name or one of { } "
                                     "[ ] ; , = ->, found ':'"},
      {"digraph { a -- b }", "f:1:13: error: expected '->' or a number, found '-'"},
      {"digraph { \"a }", "f:1:11: error: expected a closing quote, found the end of the file"},
      {"digraph { /* a }", "f:1:11: error: expected the end of the comment, */"},
  };
  for (const auto& [text, error] : cases) {
    const auto result = read_dot(text, "f");
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(to_string(result.error()), error) << text;
  }
}

} // namespace
} // namespace tacit
