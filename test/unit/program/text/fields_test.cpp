// What a program says besides its code (whose it is, what is shown, what may be relied on) is
// printed and read back; and every name is, whatever word of the text form it is.
#include <gtest/gtest.h>

#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/scope.h"
#include "program/text/print.h"
#include "program/text/read.h"

namespace tacit {
namespace {

std::string problem_of(const std::string& text) {
  const auto module = read_module(text, "");
  return module ? "" : module.error().message;
}

/// Reads and prints.
std::string again(const std::string& text) {
  const auto module = read_module(text, "");
  EXPECT_TRUE(module) << to_string(module.error()) << "\n" << text;
  return module ? print_module(*module) : "";
}

TEST(Fields, AreReadAsTheyArePrinted) {
  const std::string all = R"tir(component Session
language cpp
conventions reducible, focused, valid_pointers
errors "assert", "throws:*"
assumption "addresses are valid"
left_out `operator=` "it takes over the state of another object"
left_out swap "it \"exchanges\" the state"
exception Broken
enum constants : int { OK, FAILED = -1 }
record Node { next : ref Node shown "next_", item : int }
state this : ref at part
state address.f : ref at object
state address.g_8 : ref at place
state items.size : int [0..] shown "items.size()" = 0
client state mode : int shown "mode_"

extern `std::vector::at@items`(self : ref, n : int shown "index") : int origin contract shown "std::vector::at" object "items" throws Broken
    ensures result >= 0;

extern `std::vector::at@items.beside`() origin unknown shown "std::vector::at" beside "std::vector::at@items" writes mode;

extern `std::function::operator=<-null@f`(self : ref) origin contract shown "std::function::operator=" object "f" made_by "null" {
  return;
}

procedure call.grow() shown "grow" {
  throw Broken @a.cpp:3;
}

method push(x : int shown "value") {
  var e : exception;
  var place : ref at place;
  var ok : bool shown "ok_";
  havoc ok from "gateway.charge";
  if (ok) {
    throw e made @a.cpp:3 @a.cpp:9;
  }
  error misuse made @b.cpp:1 @b.cpp:2;
}
)tir";
  EXPECT_EQ(again(all), all);
  const auto module = read_module(all, "");
  ASSERT_TRUE(module);
  const Procedure& at = *module->find_procedure("std::vector::at@items");
  EXPECT_EQ(at.shown_name(), "std::vector::at");
  EXPECT_EQ(at.parameters[1].shown, "index");
  EXPECT_EQ(module->find_state("items.size")->shown, "items.size()");
  EXPECT_EQ(module->find_state("Node.next")->shown, "next_");
  EXPECT_EQ(module->find_state("this")->address, Address::Part);
  EXPECT_EQ(module->left_out[1].reason, "it \"exchanges\" the state");
  EXPECT_EQ(origin_of(*module->find_procedure("push")), Origin::Own);
  EXPECT_EQ(origin_of(*module->find_procedure("std::vector::at@items.beside")), Origin::Unknown);
}

TEST(Fields, OriginFollowsFromWhatAnExternSays) {
  const auto module = read_module("component C\n"
                                  "extern asked() : bool;\n"
                                  "extern told() : int ensures result > 0;\n"
                                  "method m() { return; }\n",
                                  "");
  ASSERT_TRUE(module);
  EXPECT_EQ(origin_of(*module->find_procedure("asked")), Origin::Collaborator);
  EXPECT_EQ(origin_of(*module->find_procedure("told")), Origin::Contract);
  EXPECT_EQ(origin_of(*module->find_procedure("m")), Origin::Own);
}

TEST(Fields, AreChecked) {
  EXPECT_EQ(problem_of("component C\nstate x : int at object\n"),
            "'x' is no reference and so no address");
  EXPECT_EQ(problem_of("component C\nextern f() origin own;\n"),
            "'f' is an extern and so not own code");
  EXPECT_EQ(problem_of("component C\nmethod m() origin unknown { return; }\n"),
            "'m' is own code and has no other origin");
  EXPECT_EQ(problem_of("component C\nmethod m() object \"f\" { return; }\n"),
            "'m' is own code: an object or a callee is said of externs");
  EXPECT_EQ(problem_of("component C\nenum E : int { A }\nstate x : E\n"),
            "'x': E names numbers and is no type");
  EXPECT_EQ(problem_of("component C\nconventions reducable\n"),
            "'reducable' is not a convention; did you mean 'reducible'?");
}

TEST(Conventions, AreThoseOfTheLanguageUnlessGiven) {
  const auto of = [](const std::string& lines) {
    const auto module = read_module("component C\n" + lines, "");
    EXPECT_TRUE(module) << to_string(module.error());
    return module->conventions;
  };
  EXPECT_EQ(of(""), Conventions{});
  EXPECT_EQ(of("language java"), conventions_of("java"));
  EXPECT_EQ(of("language c\nconventions none\nerrors none"), Conventions{});
  EXPECT_EQ(of("errors \"assert\"\nconventions classless, reducible"),
            (Conventions{.reducible = true, .classless = true, .errors = {"assert"}}));
  // They are spelled out, so that a reader need not know the language.
  EXPECT_TRUE(
      again("component C\nlanguage java\n")
          .starts_with("component C\nlanguage java\nconventions reducible, open_exceptions\n"
                       "errors \"throws:java.lang.RuntimeException\", "
                       "\"throws:java.lang.Error\""));
  EXPECT_EQ(again("component C\nlanguage c\nconventions none\nerrors none\n"),
            "component C\nlanguage c\nconventions none\nerrors none\n");
}

constexpr const char* words[] = {
    "all",       "as",          "assert",   "assume",      "assumption", "at",     "beside",
    "bool",      "box",         "break",    "call",        "case",       "catch",  "client",
    "component", "constructor", "continue", "conventions", "default",    "else",   "ensures",
    "enum",      "error",       "errors",   "exception",   "extern",     "false",  "from",
    "goto",      "granted",     "havoc",    "if",          "in",         "int",    "invariant",
    "is",        "language",    "left_out", "made",        "made_by",    "map",    "method",
    "new",       "none",        "null",     "object",      "origin",     "part",   "place",
    "procedure", "record",      "ref",      "requires",    "result",     "return", "s32",
    "shown",     "state",       "switch",   "throw",       "throws",     "true",   "try",
    "u8",        "unknown",     "var",      "while",       "writes"};

class Words : public testing::TestWithParam<const char*> {};

TEST_P(Words, NameVariables) {
  const std::string word = std::string("`") + GetParam() + "`";
  const std::string text = fmt::format(R"(component C
exception E
record R {{ {0} : int }}
state {0} : int = 0
state m : map [int] int
invariant {0} >= 0
procedure f(x : int) : int {{ return x; }}
method g() requires {0} > 1 {{
  {0} := 1;
  m[{0}] := {0};
  havoc {0};
  havoc unknown {0};
  if ({0} == 1) {{ {0} := call f({0}); }}
  {0} := {0} + m[{0}];
  while ({0} < 3) {{ {0} := m[{0}]; }}
  return;
}}
method h(y : int) : int {{
  if (y == {0}) {{ {0} := 2; }} else {{ {0} := 3; }}
  return {0};
}}
)",
                                       word);
  const std::string printed = again(text);
  EXPECT_EQ(again(printed), printed);
  const auto module = read_module(printed, "");
  ASSERT_TRUE(module) << printed;
  // Labels and guards are read back one by one.
  TermArena& arena = *module->arena;
  const Term variable = module->find_state(GetParam())->term;
  for (const Term t : {arena.eq(variable, arena.integer(3)), arena.lt(arena.integer(3), variable),
                       arena.negate(arena.eq(variable, arena.integer(3)))}) {
    const auto read = parse_expression(to_string(t), "", arena, ModuleScope(*module), t->sort);
    ASSERT_TRUE(read) << to_string(t) << ": " << to_string(read.error());
    EXPECT_EQ(*read, t);
  }
}

TEST_P(Words, NameEverythingElse) {
  const std::string word = std::string("`") + GetParam() + "`";
  if (std::string_view(GetParam()) == "exception") return; // the type of all exceptions
  for (const std::string& text :
       {fmt::format("component {0}\nmethod {0}({0} : int) {{ var l : int; l := {0}; return; }}\n",
                    word),
        fmt::format("component C\nenum {0} {{ A, B }}\nstate x : {0} = A\n"
                    "state y : map [{0}] {0}\n",
                    word),
        fmt::format("component C\nenum E {{ {0}, B }}\nstate x : E = {0}\n"
                    "method m() {{ if (x == {0}) {{ x := B; }} x := {0}; return; }}\n",
                    word),
        fmt::format("component C\nrecord {0} {{ next : ref {0} }}\nstate x : ref {0}\n"
                    "state y : ref\nmethod m(z : ref {0}) : ref {0} {{ x := new {0}; return x; }}\n"
                    "extern f() : ref;\nextern g() : ref {0} writes x;\n",
                    word),
        fmt::format("component C\nexception {0}\nexception E : {0}\n"
                    "extern {0}() throws {0};\n"
                    "method m() {{ var e : exception; call {0}() catch {0} e goto L; return; "
                    "L: throw e; }}\n"
                    "method n() {{ throw {0}; }}\n",
                    word),
        fmt::format("component C\nstate x : int\nmethod m() {{ error {0}; }}\n"
                    "method n() {{ var {0} : int; havoc client {0}; havoc {0} from \"f\"; }}\n",
                    word)}) {
    const auto module = read_module(text, "");
    ASSERT_TRUE(module) << to_string(module.error()) << "\n" << text;
    const std::string printed = print_module(*module);
    EXPECT_EQ(again(printed), printed) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Words, testing::ValuesIn(words),
                         [](const auto& one) { return std::string(one.param); });

} // namespace
} // namespace tacit
