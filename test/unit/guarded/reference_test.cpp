// The reference itself, on words whose legality can be read off the program.
#include <gtest/gtest.h>

#include "program/text/read.h"
#include "support/reference_words.h"

namespace tacit {
namespace {

Component component(const std::string& text) {
  const auto module = read_module("component T\n" + text, "t.tir");
  EXPECT_TRUE(module.has_value()) << to_string(module.error());
  auto built = build_component(*module, {.arguments = Arguments::Guarded});
  EXPECT_TRUE(built.has_value());
  return std::move(*built);
}

/// One constructor without arguments, then a letter with this result, then a call.
Legality after(const Component& c, Integer result, std::size_t call,
               std::vector<Value> arguments = {}) {
  ConcreteSemantics semantics(c);
  ConcreteWord word;
  word.letters.push_back({0, {}, {0, Value(result), {}}});
  word.last = call;
  word.last_arguments = std::move(arguments);
  return semantics.judge(word);
}

TEST(ConcreteWords, ResultsAreObservedAndNeverChosen) {
  const Component c = component("state x : int [0..2] = 0\n"
                                "method c() : int [0..2] { havoc x; return x; }\n"
                                "method d() { if (x == 0) error zero; return; }\n");
  EXPECT_EQ(after(c, 1, 1), Legality::Legal);
  EXPECT_EQ(after(c, 0, 1), Legality::Illegal);
}

TEST(ConcreteWords, TheEnvironmentMayDoItsWorst) {
  const Component c = component("state x : int [0..2] = 1\n"
                                "method c() : int [0..2] { havoc x; return 2; }\n"
                                "method d() { if (x == 0) error zero; return; }\n");
  EXPECT_EQ(after(c, 2, 1), Legality::Illegal);
}

TEST(ConcreteWords, UnknownValuesDecideNothing) {
  const std::string d = "method d() { if (x == 0) error zero; return; }\n";
  const Component hidden = component("state x : int [0..2] = 1\n"
                                     "method c() : int [0..2] { havoc unknown x; return 2; }\n" +
                                     d);
  EXPECT_EQ(after(hidden, 2, 1), Legality::Undecided);
  const Component seen = component("state x : int [0..2] = 1\n"
                                   "method c() : int [0..2] { havoc unknown x; return x; }\n" +
                                   d);
  EXPECT_EQ(after(seen, 0, 1), Legality::Illegal);
  EXPECT_EQ(after(seen, 1, 1), Legality::Legal);
}

TEST(ConcreteWords, TheEnvironmentAnswersWhatIsUnknown) {
  const Component after_it =
      component("state x : bool = false\nstate y : bool = false\n"
                "method c() : int [0..1] { havoc unknown x; havoc y; return 0; }\n"
                "method d() { if (x == y) error same; return; }\n");
  EXPECT_EQ(after(after_it, 0, 1), Legality::Illegal);
  const Component before_it =
      component("state x : bool = false\nstate y : bool = false\n"
                "method c() : int [0..1] { havoc y; havoc unknown x; return 0; }\n"
                "method d() { if (x == y) error same; return; }\n");
  EXPECT_EQ(after(before_it, 0, 1), Legality::Undecided);
}

TEST(ConcreteWords, ArgumentsCount) {
  const Component c = component("state k : int [0..2] = 0\n"
                                "method c() : int [0..2] { havoc k; return k; }\n"
                                "method d(a : int [0..2]) { if (a != k) error other; return; }\n");
  EXPECT_EQ(after(c, 2, 1, {Value(2)}), Legality::Legal);
  EXPECT_EQ(after(c, 2, 1, {Value(1)}), Legality::Illegal);
}

TEST(ConcreteWords, WhatHasNoRunCannotHappen) {
  const Component c = component("method c() : int [0..2] { return 1; }\n"
                                "method d() { assume false; return; }\n");
  EXPECT_EQ(after(c, 1, 1), Legality::NoRun);
  EXPECT_EQ(after(c, 2, 0), Legality::NoRun);
}

TEST(ConcreteWords, ConstructorsThatMakeNoObjectAreIllegal) {
  const Component c = component("exception E\n"
                                "constructor T(a : int [0..2], b : bool) {\n"
                                "  if (a == 0) throw E;\n"
                                "  if (a == 1) { if (*) throw E; }\n"
                                "  if (b) error bad;\n"
                                "  return;\n}\n"
                                "method m() { return; }\n");
  ConcreteSemantics semantics(c);
  const auto legality = [&](Integer a, bool b) {
    return ConcreteSemantics::constructor_legality(
        semantics.constructor_ways(0, {Value(a), Value(Integer(b))}));
  };
  EXPECT_EQ(legality(0, false), Legality::Illegal);
  EXPECT_EQ(legality(1, false), Legality::Legal);
  EXPECT_EQ(legality(2, false), Legality::Legal);
  EXPECT_EQ(legality(2, true), Legality::Illegal);
}

} // namespace
} // namespace tacit
