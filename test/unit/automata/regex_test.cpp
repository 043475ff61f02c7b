#include "automata/regex.h"

#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "automata/expression.h"
#include "unit/automata/examples.h"

namespace tacit {
namespace {

using test::Random;

// A matcher that shares nothing with the code under test: it parses the printed text and works
// on sets of positions in the word.
class Matcher {
public:
  explicit Matcher(std::string_view text) : rest_(text), root_(alternatives()) {
    if (!rest_.empty()) throw std::runtime_error("left over: " + std::string(rest_));
  }

  bool matches(const std::string& word) const {
    return ends(*root_, word, {0}).contains(word.size());
  }

private:
  struct Node {
    char kind; // a letter, or one of | . * + ? ε as e, ∅ as 0
    std::vector<std::unique_ptr<Node>> parts;
  };
  using Tree = std::unique_ptr<Node>;

  bool take(std::string_view sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }
  Tree alternatives() {
    Tree node = std::make_unique<Node>('|');
    do node->parts.push_back(sequence());
    while (take(" | "));
    return node;
  }
  Tree sequence() {
    Tree node = std::make_unique<Node>('.');
    do node->parts.push_back(postfix());
    while (!rest_.starts_with(" |") && take(" "));
    return node;
  }
  Tree postfix() {
    Tree node;
    if (take("(")) {
      node = alternatives();
      if (!take(")")) throw std::runtime_error("no )");
    } else if (take("ε")) {
      node = std::make_unique<Node>('e');
    } else if (take("∅")) {
      node = std::make_unique<Node>('0');
    } else {
      if (rest_.empty() || rest_[0] < 'a' || rest_[0] > 'd') throw std::runtime_error("no letter");
      node = std::make_unique<Node>(rest_[0]);
      rest_.remove_prefix(1);
    }
    if (!rest_.empty() && std::string_view("*+?").contains(rest_[0])) {
      Tree around = std::make_unique<Node>(rest_[0]);
      around->parts.push_back(std::move(node));
      rest_.remove_prefix(1);
      return around;
    }
    return node;
  }

  using Places = std::set<std::size_t>;
  static Places ends(const Node& node, const std::string& word, const Places& begins) {
    Places result;
    switch (node.kind) {
    case 'e': return begins;
    case '0': return {};
    case '|':
      for (const Tree& part : node.parts) result.merge(ends(*part, word, begins));
      return result;
    case '.':
      result = begins;
      for (const Tree& part : node.parts) result = ends(*part, word, result);
      return result;
    case '?':
      result = ends(*node.parts[0], word, begins);
      result.insert(begins.begin(), begins.end());
      return result;
    case '*':
    case '+': {
      if (node.kind == '*') result = begins;
      Places last = begins;
      for (std::size_t i = 0; i <= word.size(); ++i) {
        last = ends(*node.parts[0], word, last);
        result.insert(last.begin(), last.end());
      }
      return result;
    }
    default:
      for (std::size_t i : begins)
        if (i < word.size() && word[i] == node.kind) result.insert(i + 1);
      return result;
    }
  }

  std::string_view rest_;
  Tree root_;
};

std::string letter_name(Letter a) { return std::string(1, static_cast<char>('a' + a)); }

std::string spell(const Word& word) {
  std::string text;
  for (Letter a : word) text += letter_name(a);
  return text;
}

void expect_language(const Dfa& dfa, State start, const std::string& text) {
  SCOPED_TRACE(text);
  const Matcher matcher(text);
  for (const Word& word : test::words_up_to(6, dfa.letters()))
    ASSERT_EQ(matcher.matches(spell(word)), dfa.accepts(start, word)) << spell(word);
}

TEST(Matcher, MatchesByHand) {
  EXPECT_TRUE(Matcher("(a b)* a?").matches("aba"));
  EXPECT_FALSE(Matcher("(a b)* a?").matches("abb"));
  EXPECT_FALSE(Matcher("a+ | ε").matches("b"));
  EXPECT_TRUE(Matcher("a+ | ε").matches(""));
  EXPECT_FALSE(Matcher("a+ b").matches("b"));
  EXPECT_FALSE(Matcher("∅").matches(""));
}

TEST(Regex, DescribesTheCatalogue) {
  for (const auto& example : test::catalogue) {
    SCOPED_TRACE(example.name);
    const Dfa dfa = test::dfa(example.text);
    const State start = dfa.entries()[0];
    const std::string text = regular_expression(dfa, start, letter_name, 1000);
    ASSERT_NE(text, "");
    expect_language(dfa, start, text);
  }
}

TEST(Regex, DescribesRandomAutomata) {
  std::size_t described = 0;
  for (std::uint32_t seed = 0; seed < 250; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Dfa dfa = test::random_dfa(random, {.states = 1 + random.below(6),
                                              .letters = 1 + random.below(3),
                                              .colours = 2,
                                              .missing_one_in = 2 + random.below(4)});
    // Half of them prefix closed, as protocols are.
    Dfa closed = dfa;
    if (random.one_in(2))
      for (State q = 0; q < closed.states(); ++q) closed.set_colour(q, 1);
    const std::string text = regular_expression(closed, 0, letter_name, 1000);
    if (text.empty()) continue;
    ++described;
    EXPECT_LE(text.size(), 1000u);
    expect_language(closed, 0, text);
  }
  EXPECT_GT(described, 200u);
}

struct Readable {
  std::string_view text;
  std::string_view expression;
};

TEST(Regex, IsReadable) {
  const Readable cases[] = {
      {"letters: a b\nentries: p\np: a>p b>p", "(a | b)*"},
      {"letters: b a\nentries: p\np: a>p b>p", "(a | b)*"},
      {"letters: a b c\nentries: p\np: a>q c>q b>q\nq:", "(a | b | c)?"},
      {"letters: a b c\nentries: p\np: a>q\nq: b>r\nr: c>s\ns:", "(a (b c?)?)?"},
      {"letters: a b\nentries: p\np [0]: a>q\nq: a>q", "a+"},
      {"letters: a b\nentries: p\np: a>q\nq: a>q", "a*"},
      {"letters: a b c\nentries: p\np [0]: a>q\nq [0]: b>r c>r\nr:", "a (b | c)"},
      // open (read | write)* close, over and over
      {"letters: a b c d\nentries: p\np: a>q\nq: b>q c>q d>p", "(a (b | c)* d)* (a (b | c)*)?"},
      {"letters: a b\nentries: p\np [0]: a>p b>q\nq: a>q b>q", "a* b (a | b)*"},
  };
  for (const auto& [text, expression] : cases) {
    const Dfa dfa = test::dfa(text);
    EXPECT_EQ(regular_expression(dfa, 0, letter_name, 1000), expression);
  }
}

TEST(Regex, KeepsTheLimit) {
  const Dfa dfa = test::dfa("letters: a b\nentries: p\np: a>p b>p");
  EXPECT_EQ(regular_expression(dfa, 0, letter_name, 8), "(a | b)*");
  EXPECT_EQ(regular_expression(dfa, 0, letter_name, 7), "");
  EXPECT_EQ(regular_expression(dfa, no_state, letter_name, 100), "∅");
  EXPECT_EQ(regular_expression(Dfa(2), no_state, letter_name, 1), "");
}

TEST(Regex, GivesUpOnLargeAutomataSoon) {
  Random random(5);
  const Dfa dfa = test::random_dfa(random, {.states = 300, .letters = 4, .colours = 2});
  EXPECT_EQ(regular_expression(dfa, 0, letter_name, 500), "");
}

// The algebra by itself: random expressions against the same ones built without simplification.
TEST(Expressions, RulesKeepTheLanguage) {
  const auto words = test::words_up_to(5, 2);
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Expressions expressions(letter_name);
    struct Both {
      Expression simplified;
      std::string plain;
    };
    std::vector<Both> pool{
        {expressions.letter(0), "a"}, {expressions.letter(1), "b"}, {expressions.epsilon(), "ε"}};
    for (int step = 0; step < 12; ++step) {
      const Both x = pool[random.below(pool.size())], y = pool[random.below(pool.size())];
      if (x.plain.size() + y.plain.size() > 80) continue;
      switch (random.below(3)) {
      case 0:
        pool.push_back({expressions.concat({x.simplified, y.simplified}),
                        "(" + x.plain + ") (" + y.plain + ")"});
        break;
      case 1:
        pool.push_back({expressions.unite({x.simplified, y.simplified}),
                        "(" + x.plain + ") | (" + y.plain + ")"});
        break;
      default: pool.push_back({expressions.star(x.simplified), "(" + x.plain + ")*"});
      }
    }
    for (const Both& both : pool) {
      const std::string text = expressions.print(both.simplified);
      ASSERT_EQ(text.size(), expressions.length(both.simplified));
      const Matcher simplified(text), plain(both.plain);
      for (const Word& word : words)
        ASSERT_EQ(simplified.matches(spell(word)), plain.matches(spell(word)))
            << both.plain << " became " << text << " and differs on '" << spell(word) << "'";
    }
  }
}

} // namespace
} // namespace tacit
