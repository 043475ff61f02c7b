// The reader of contract files: right and wrong texts, what names and overloads mean, and the
// examples of docs/contracts.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/contracts/read.h"
#include "program/text/read.h"

namespace tacit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Contracts read(std::string_view text, const ContractReading& reading = {}) {
  auto contracts = read_contracts(text, "test.tir", reading);
  EXPECT_TRUE(contracts) << to_string(contracts.error());
  return contracts ? *contracts : Contracts();
}

std::string problem(std::string_view text) {
  const auto contracts = read_contracts(text, "test.tir");
  return contracts ? "" : to_string(contracts.error());
}

std::vector<std::string> names(const std::string& pattern, const NameGroups& groups = {}) {
  std::vector<std::string> made;
  const auto patterns = expand_pattern(pattern, {}, groups);
  EXPECT_TRUE(patterns);
  for (const NamePattern& one : *patterns) made.push_back(one.text);
  return made;
}

bool fits_name(const std::string& pattern, std::string_view name) {
  return expand_pattern(pattern, {})->front().matches(name);
}

class Shapes : public ::testing::Test {
protected:
  Type number() { return {.sort = arena_.int_sort()}; }
  Type truth() { return {.sort = arena_.bool_sort()}; }
  Type reference() { return {.sort = arena_.ref_sort()}; }

  static CallShape shape(std::vector<Type> parameters, std::optional<Type> returns = std::nullopt) {
    CallShape made;
    for (const Type& type : parameters) made.parameters.push_back({type, ""});
    made.returns = std::move(returns);
    return made;
  }

  TermArena arena_;
};

TEST(ContractNames, ChoicesGroupsAndConstructors) {
  EXPECT_THAT(names("std::(map|set)::size"), ElementsAre("std::map::size", "std::set::size"));
  EXPECT_THAT(names("std::(map|set)::(%|~%)"),
              ElementsAre("std::map::map", "std::map::~map", "std::set::set", "std::set::~set"));
  EXPECT_THAT(names("a::(seq|c)::f", {{"seq", "x|y"}}),
              ElementsAre("a::x::f", "a::y::f", "a::c::f"));
  EXPECT_THAT(names("a::(seq)::f", {{"seq", "x|y"}}), ElementsAre("a::x::f", "a::y::f"));
}

TEST(ContractNames, ParenthesesOfFunctionsStay) {
  EXPECT_THAT(names("f::operator()"), ElementsAre("f::operator()"));
  EXPECT_THAT(names("java.util.List.get(int)"), ElementsAre("java.util.List.get(int)"));
  EXPECT_THAT(names("*::(at|operator())").size(), 2);
  EXPECT_TRUE(expand_pattern("*::(at|operator())", {})->back().matches("a::operator()"));
  EXPECT_THAT(names("p::(operator->|operator*)"), ElementsAre("p::operator->", "p::operator*"));
}

TEST(ContractNames, Wildcards) {
  EXPECT_TRUE(fits_name("std::vector*", "std::vector::size"));
  EXPECT_TRUE(fits_name("*::at", "std::map::at"));
  EXPECT_FALSE(fits_name("*::at", "std::map::cat"));
  EXPECT_FALSE(fits_name("std::operator*", "std::operator+"));
  EXPECT_TRUE(fits_name("std::operator<*", "std::operator<<"));
}

TEST(ContractNames, TypeParameters) {
  const auto pattern = expand_pattern("std::map<K, V>::at", {});
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->front().text, "std::map::at");
  EXPECT_THAT(pattern->front().type_parameters, ElementsAre("K", "V"));
  EXPECT_FALSE(expand_pattern("std::map<K, V::at", {}));
  EXPECT_FALSE(expand_pattern("std::map<K, 3+4>", {}));
  EXPECT_THAT(names("a::operator<<"), ElementsAre("a::operator<<"));
  EXPECT_THAT(template_arguments("std::map<int, A<b, c>>"), ElementsAre("int", "A<b, c>"));
  EXPECT_EQ(class_of("std::function::operator()"), "std::function");
  EXPECT_EQ(class_of("java.util.List.get(int)"), "java.util.List");
}

TEST_F(Shapes, OverloadsBySort) {
  const Contracts contracts = read("extern f(x : bool);\n"
                                   "extern f(x : int) : ref;\n"
                                   "extern f(x : int);\n"
                                   "extern f(x : any, y : any, ...);\n");
  const auto line = [&](const CallShape& shape) {
    const Contract* found = contracts.find("f", shape);
    return found ? found->where().line : 0;
  };
  EXPECT_EQ(line(shape({truth()})), 1);
  EXPECT_EQ(line(shape({number()}, reference())), 2);
  EXPECT_EQ(line(shape({number()}, truth())), 3);
  EXPECT_EQ(line(shape({reference()})), 0);
  EXPECT_EQ(line(shape({reference(), truth()})), 4);
  EXPECT_EQ(line(shape({reference(), truth(), number()})), 4);
  EXPECT_EQ(line(shape({})), 0);
}

TEST_F(Shapes, OverloadsByClass) {
  const Contracts contracts = read("extern f(x : any `*_ordering`);\n"
                                   "extern f(x : any);\n");
  CallShape ordering = shape({reference()});
  ordering.parameters[0].object_class = "std::strong_ordering";
  EXPECT_EQ(contracts.find("f", ordering)->where().line, 1);
  EXPECT_EQ(contracts.find("f", shape({reference()}))->where().line, 2);
}

TEST_F(Shapes, OriginsArePartOfTheName) {
  const Contracts contracts = read("extern `p::p`(self : ref, x : ref from null);");
  EXPECT_THAT(contracts.named("p::p"), IsEmpty());
  EXPECT_EQ(contracts.named("p::p<-null").size(), 1);
}

TEST(Contracts, AttributesOfManyNames) {
  const Contracts contracts = read("about `*::at` : not tame;\n"
                                   "about `a::*`, b : tame, never_fails;\n"
                                   "about class `a::C*` : flatten;\n"
                                   "extern c() stops;\n");
  EXPECT_TRUE(contracts.has(Attribute::Tame, "a::f"));
  EXPECT_FALSE(contracts.has(Attribute::Tame, "a::at"));
  EXPECT_TRUE(contracts.has(Attribute::NeverFails, "a::at"));
  EXPECT_TRUE(contracts.has(Attribute::Tame, "b"));
  EXPECT_TRUE(contracts.has(Attribute::Stops, "c"));
  EXPECT_FALSE(contracts.has(Attribute::Flatten, "a::C"));
  EXPECT_TRUE(contracts.class_has(Attribute::Flatten, "a::C1"));
}

TEST(Contracts, PartsAndExceptions) {
  const Contracts contracts = read("part `a::__x`, `a::__y` of `a::x`;\n"
                                   "exception E : F;\n");
  EXPECT_EQ(contracts.whole("a::__y"), "a::x");
  EXPECT_EQ(contracts.whole("a::z"), "a::z");
  EXPECT_EQ(contracts.parent("E"), "F");
  EXPECT_EQ(contracts.parent("F"), "");
}

TEST(Contracts, ExceptionsAreDeclaredByBeingNamed) {
  const Contracts contracts = read("extern f(x : int) { if (x < 0) throw A; raise B; }\n"
                                   "extern g() throws C, `d::D`;\n");
  EXPECT_THAT(contracts.named("f").front()->exceptions, ElementsAre("A", "B"));
  EXPECT_THAT(contracts.named("g").front()->exceptions, ElementsAre("C", "d::D"));
}

TEST(Contracts, FirstFileFirst) {
  Contracts all = read("extern f() : int ensures result == 1;");
  all.append(read("extern f() : int ensures result == 2;\nextern g();"));
  EXPECT_EQ(all.named("f").size(), 2);
  EXPECT_EQ(all.named("g").front()->name, "g");
}

TEST(Contracts, HeadsNeedNoComponent) {
  const std::string text = "extern f(x : Colour) : Colour throws E { return RED; }\n"
                           "extern g(m : map [Colour] int) tame;\n";
  const Contracts heads = read(text, {.heads_only = true});
  EXPECT_EQ(heads.named("f").size(), 1);
  EXPECT_THAT(heads.named("f").front()->exceptions, ElementsAre("E"));
  EXPECT_TRUE(heads.has(Attribute::Tame, "g"));
  EXPECT_THAT(problem(text), HasSubstr("'Colour' is not a type"));
}

TEST(Contracts, NamesOfTheComponent) {
  auto module = read_module("component c; enum Colour { RED, GREEN } state n : int;\n"
                            "extern f() : Colour; extern g(); method m() { call g(); }",
                            "c.tir");
  ASSERT_TRUE(module) << to_string(module.error());
  read("extern f() : Colour { return n > 0 ? RED : GREEN; }\n"
       "extern g() writes n;\n"
       "extern h(n : bool) : bool { var m : bool = n; return m; }",
       {.scope = &*module});
  const auto wrong = read_contracts("extern f() : Colour { throw E; }", "x", {.scope = &*module});
  EXPECT_FALSE(wrong);
}

struct Wrong {
  const char *text, *message;
};

class WrongContracts : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongContracts, AreRefusedWithAPlace) {
  const std::string found = problem(GetParam().text);
  EXPECT_THAT(found, HasSubstr(GetParam().message)) << GetParam().text;
  EXPECT_THAT(found, HasSubstr("test.tir:")) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WrongContracts,
    ::testing::Values(
        Wrong{"state x : int;", "expected an item of a contract file"},
        Wrong{"extern f(", "expected"}, Wrong{"extern f() { return;", "never closed"},
        Wrong{"extern f() }", "closes nothing"},
        Wrong{"extern f() : colour;", "'colour' is not a type"},
        Wrong{"extern f() pur;", "did you mean 'pure'"},
        Wrong{"about f : lame;", "'lame' is not an attribute; did you mean 'tame'"},
        Wrong{"extern f(x : int, x : int);", "'x' is declared already"},
        Wrong{"extern f(..., x : int);", "'...' comes last"},
        Wrong{"extern f(x : ref from null, y : ref from null);", "only one parameter"},
        Wrong{"record c { a : int, a : bool }", "'a' is declared already"},
        Wrong{"record c { a : T }", "'T' is not a type"},
        Wrong{"record `c<T>` { a : T } extern `c<U>::f`(self : ref) { return; }",
              "have other type parameters"},
        Wrong{"record c { a : int } extern `c::f`(self : ref) { self.b := 1; }",
              "'self.b' is not declared"},
        Wrong{"extern `c::f`(self : ref) { self.a := 1; }", "'self.a' is not declared"},
        Wrong{"record c { a : int } extern `c::f`(self : ref) { self.a := true; }", "bool"},
        Wrong{"extern f(x : any) : int { return x; }", "int"},
        Wrong{"extern f() : int { havoc client x; return 1; }", "'x' is not declared"},
        Wrong{"extern f() { var x : int; havoc client x; }", "no client"},
        Wrong{"extern f() writes x;", "neither a fact nor a state variable"},
        Wrong{"extern f() throws A { return; }", "clauses or a body, not both"},
        Wrong{"extern f() : int fresh;", "'fresh' is said of"},
        Wrong{"procedure p() { call p(); } extern f() { call p(); }", "calls itself"},
        Wrong{"procedure p(); extern f();", "the body of a helper"},
        Wrong{"hook h(x : ref); hook h(x : ref);", "'h' is declared already"},
        Wrong{"extern f() { call g(); }", "'g' is not a procedure"},
        Wrong{"record c { a : int } procedure p(x : ref c) { x.a := 1; } extern f(y : ref) { call "
              "p(y); }",
              "needs the fact 'a'"},
        Wrong{"group g : a;", "at least two"},
        Wrong{"exception E; exception E;", "'E' is declared already"},
        Wrong{"extern `a<T`(x : int);", "never closed"}, Wrong{"part a;", "expected 'of'"}));

TEST(Documentation, ExamplesAreAsTheySay) {
  const auto page = read_file(std::string(TACIT_SOURCE_DIR) + "/docs/contracts.md");
  ASSERT_TRUE(page);
  constexpr std::string_view fence = "```tir\n", error = "// error: ";
  int count = 0;
  for (std::size_t at = page->find(fence); at != std::string::npos; at = page->find(fence, at)) {
    at += fence.size();
    const std::string text = page->substr(at, page->find("```", at) - at);
    const std::string found = problem(text);
    if (text.starts_with(error))
      EXPECT_THAT(found, HasSubstr(text.substr(error.size(), text.find('\n') - error.size())));
    else
      EXPECT_EQ(found, "") << text;
    ++count;
  }
  EXPECT_GE(count, 8);
}

TEST(Shipped, FilesCanBeRead) {
  for (const char* file : {"c.tir", "cpp.tir", "java.tir"}) {
    const auto text = read_file(std::string(TACIT_SOURCE_DIR) + "/contracts/" + file);
    ASSERT_TRUE(text);
    EXPECT_EQ(problem(*text), "") << file;
  }
}

} // namespace
} // namespace tacit
