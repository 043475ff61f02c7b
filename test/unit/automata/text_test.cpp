#include "automata/text.h"

#include <gtest/gtest.h>

#include "unit/automata/examples.h"

namespace tacit {
namespace {

using test::Random;

// Names that are hard on quoting.
const std::vector<std::string> nasty_names = {
    "a",       "push(int)", "operator[]", "std::vector<int>::push_back",
    "",        "-",         "letters",    "entries",
    "a b",     "\"",        "\\",         "\\n",
    "x\ny",    "#no",       "tab\there",  "cr\rlf",
    "größer",  "->",        "end\\",      "{};,=",
    "__start0"};

TEST(Text, PrintsOneLinePerState) {
  Alphabet alphabet;
  alphabet.add("open");
  alphabet.add("read it");
  Dfa dfa(2);
  dfa.add_state();
  dfa.add_state(0);
  dfa.set_next(0, 0, 1);
  dfa.set_next(0, 1, 0);
  dfa.add_entry(0);
  dfa.add_entry(no_state);
  EXPECT_EQ(print_text(dfa, alphabet), "letters: open \"read it\"\n"
                                       "entries: q0 -\n"
                                       "q0: open>q1 \"read it\">q0\n"
                                       "q1 [0]:\n");
}

TEST(Text, ReadsWithCommentsBlanksAndContinuedLists) {
  const auto [alphabet, dfa] = test::read("# a stack\n"
                                          "letters: push pop  # two\n"
                                          "\n"
                                          "letters: \"peek now\"\r\n"
                                          "entries: empty\n"
                                          "  full [ 7 ] : pop>empty \"peek now\" > full\n"
                                          "entries: - full\n"
                                          "empty:push>full# and out");
  EXPECT_EQ(alphabet.size(), 3u);
  EXPECT_EQ(alphabet.name(2), "peek now");
  Dfa wanted(3);
  wanted.add_state(7);
  wanted.add_state();
  wanted.set_next(0, 1, 1);
  wanted.set_next(0, 2, 0);
  wanted.set_next(1, 0, 0);
  wanted.add_entry(1);
  wanted.add_entry(no_state);
  wanted.add_entry(0);
  EXPECT_EQ(dfa, wanted);
}

TEST(Text, TakesKeywordsInQuotesForNames) {
  const auto [alphabet, dfa] = test::read("letters: \"letters\" \"-\"\n"
                                          "entries: \"-\" - \"entries\"\n"
                                          "\"entries\": \"-\">\"-\"\n"
                                          "\"-\": \"letters\">\"entries\"");
  EXPECT_EQ(print_text(dfa, alphabet), "letters: \"letters\" \"-\"\n"
                                       "entries: q1 - q0\n"
                                       "q0: \"-\">q1\n"
                                       "q1: \"letters\">q0\n");
}

TEST(Text, RoundTripsExactly) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<std::string> names = nasty_names;
    random.shuffle(names);
    const std::size_t letters = random.below(names.size() + 1);
    Alphabet alphabet;
    for (std::size_t i = 0; i < letters; ++i) alphabet.add(names[i]);
    Dfa dfa = test::random_dfa(random, {.states = 1 + random.below(8),
                                        .letters = letters,
                                        .colours = 4,
                                        .entries = random.below(4)});
    if (random.one_in(4)) dfa.set_colour(0, UINT32_MAX);

    const std::string text = print_text(dfa, alphabet);
    const auto again = read_text(text, "t");
    ASSERT_TRUE(again) << to_string(again.error()) << "\n" << text;
    EXPECT_EQ(again->first, alphabet);
    EXPECT_EQ(again->second, dfa);
    EXPECT_EQ(print_text(again->second, again->first), text);

    const std::string dot = print_dot(dfa, alphabet);
    const auto from_dot = read_dot(dot, "t");
    ASSERT_TRUE(from_dot) << to_string(from_dot.error()) << "\n" << dot;
    EXPECT_EQ(from_dot->first, alphabet);
    EXPECT_EQ(from_dot->second, dfa);
    EXPECT_EQ(print_dot(from_dot->second, from_dot->first), dot);
  }
}

TEST(Text, RoundTripsTheEmptyAutomaton) {
  const auto again = read_text(print_text(Dfa(0), Alphabet()), "t");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->second, Dfa(0));
  const auto dot = read_dot(print_dot(Dfa(0), Alphabet()), "t");
  ASSERT_TRUE(dot);
  EXPECT_EQ(dot->second, Dfa(0));
}

struct Bad {
  std::string_view text;
  std::string_view error;
};

TEST(Text, SaysWhatItExpectedAndWhere) {
  const Bad cases[] = {
      {"", "f:1:1: error: expected a line 'letters: …'"},
      {"letters: a\n", "f:2:1: error: expected a line 'entries: …'"},
      {"q: a>q", "f:1:1: error: expected 'letters:' before the first state"},
      {"letters: a\nentries: p\np: a>p\nletters: b",
       "f:4:1: error: expected all 'letters:' before the first state"},
      {"letters: a b a\n", "f:1:14: error: expected a new letter, found 'a' again"},
      {"letters a\n", "f:1:9: error: expected ':' after 'letters', found 'a'"},
      {"letters: a\nentries\n", "f:2:8: error: expected ':' after 'entries', found the end of "
                                "the line"},
      {"letters: a > b\n", "f:1:12: error: expected the name of a letter, found '>'"},
      {"letters: a\nentries: p q\np: a>p",
       "f:2:12: error: expected a state that has a line, found 'q'"},
      {"letters: a\nentries: p\np: a>q",
       "f:3:6: error: expected a state that has a line, found 'q'"},
      {"letters: a\nentries: p\np: a>-",
       "f:3:6: error: expected a state that has a line, found '-'"},
      {"letters: a\nentries: p\np: b>p",
       "f:3:4: error: expected one of the letters declared above, found 'b'"},
      {"letters: a\nentries: p\np: a p", "f:3:6: error: expected '>' after the letter, found 'p'"},
      {"letters: a\nentries: p\np: a>", "f:3:6: error: expected the name of a state, found the end "
                                        "of the file"},
      {"letters: a\nentries: p\np: a>p a>p",
       "f:3:8: error: expected one transition per letter, found 'a' again"},
      {"letters: a\nentries: p\np:\np:", "f:4:1: error: expected a new state, found 'p' again"},
      {"letters: a\nentries: p\n-:", "f:3:1: error: expected the name of a state, found '-'"},
      {"letters: a\nentries: p\np a>p", "f:3:3: error: expected ':' after the state, found 'a'"},
      {"letters: a\nentries: p\np [x]:",
       "f:3:4: error: expected a colour, a number below 2^32, found 'x'"},
      {"letters: a\nentries: p\np []:",
       "f:3:4: error: expected a colour, a number below 2^32, found ']'"},
      {"letters: a\nentries: p\np [4294967296]:",
       "f:3:4: error: expected a colour, a number below 2^32, found '4294967296'"},
      {"letters: a\nentries: p\np [1:", "f:3:5: error: expected ']' after the colour, found ':'"},
      {"letters: a\nentries: p\n>", "f:3:1: error: expected 'letters:', 'entries:' or the name of "
                                    "a state, found '>'"},
      {"letters: \"a\n", "f:1:10: error: expected a closing quote, found the end of the line"},
      {"letters: \"a\\t\"\n",
       "f:1:12: error: expected \\\", \\\\ or \\n after the backslash, found 't'"},
  };
  for (const auto& [text, error] : cases) {
    const auto result = read_text(text, "f");
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(to_string(result.error()), error) << text;
  }
}

} // namespace
} // namespace tacit
