// Templates in the modules that use them: what types, facts and hooks become there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/contracts/apply.h"
#include "program/contracts/instantiate.h"
#include "program/contracts/read.h"
#include "program/ir/verify.h"
#include "program/text/print.h"
#include "program/text/read.h"

namespace tacit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Module module_of(const std::string& text) {
  auto module = read_module("component c; " + text, "c.tir");
  EXPECT_TRUE(module) << to_string(module.error());
  return module ? std::move(*module) : Module();
}

/// The callee `f` of a module with the contract of that name.
class Instances : public ::testing::Test {
protected:
  std::string made(const std::string& contracts, const ContractSite& site) {
    const auto read = read_contracts(contracts, "test.tir");
    EXPECT_TRUE(read) << to_string(read.error());
    if (!read) return "";
    Procedure& callee = *module_.find_procedure("f");
    CallShape shape = shape_of(callee.parameters, callee.returns);
    shape.type_arguments = site.type_arguments;
    const auto named = read->named("f").empty() ? read->named("c::f") : read->named("f");
    EXPECT_FALSE(named.empty());
    EXPECT_TRUE(fits(*named.front(), shape));
    if (!can_instantiate(*named.front(), callee.parameters, site)) return "not usable";
    auto instance = instantiate(*named.front(), module_, callee, site);
    if (!instance) return to_string(instance.error());
    callee = std::move(*instance);
    const auto problems = verify(module_);
    EXPECT_TRUE(problems.empty()) << to_string(problems.front());
    const std::string text = print_procedure(module_, callee);
    // What is printed can be read again.
    const auto again = read_module(print_module(module_), "again.tir");
    EXPECT_TRUE(again) << to_string(again.error()) << "\n" << print_module(module_);
    return text;
  }

  /// Facts as state variables `o.FACT`, where there are such.
  ContractSite variables() const {
    return {.fact = [this](std::size_t, Term, const std::string& fact) -> Term {
      const StateVariable* kept = module_.find_state("o." + fact);
      return kept ? kept->term : nullptr;
    }};
  }

  Module module_;
};

TEST_F(Instances, ClausesSpeakOfTheCallee) {
  module_ = module_of("exception E; extern f(a1 : int [0..9]) : int;");
  EXPECT_EQ(made("extern f(x : int) : int throws E ensures result > x;", {}),
            "extern f(x : int [0..9]) : int origin contract throws E\n    ensures x < result;\n");
}

TEST_F(Instances, ResultsMayBeNarrower) {
  module_ = module_of("extern f() : int;");
  EXPECT_THAT(made("extern f() : int [1..3];", {}), HasSubstr(": int [1..3]"));
}

TEST_F(Instances, NamesAvoidThoseOfTheComponent) {
  module_ = module_of("enum K { y } state x : int; extern f(a : int) : int;");
  const std::string text =
      made("extern f(x : int) : int { var y : int = x + 1; x := y; return x; }", {});
  EXPECT_THAT(text, HasSubstr("x.2 : int"));
  EXPECT_THAT(text, HasSubstr("y.2 := x.2 + 1"));
}

TEST_F(Instances, ExceptionsGoByName) {
  module_ = module_of("exception Other; exception E : Other; extern f(a : int);");
  const std::string contract = "extern f(x : int) { if (x < 0) throw E; if (x > 9) raise Other; }";
  const std::string text = made(contract, {});
  EXPECT_THAT(text, HasSubstr("throw E"));
  EXPECT_THAT(text, HasSubstr("raise Other"));
  module_ = module_of("exception E; extern f(a : int);");
  EXPECT_THAT(made(contract, {}), HasSubstr("'Other' is not an exception of this component"));
}

TEST_F(Instances, FactsAreVariables) {
  module_ = module_of("state `o.size` : int [0..] = 0; extern f(o : ref) : int;");
  const std::string contract = "record c { size : int [0..] }\n"
                               "extern `c::f`(self : ref) : int {\n"
                               "  self.size := self.size + 1; return self.size; }";
  EXPECT_THAT(made(contract, variables()), HasSubstr("o.size := o.size + 1"));
  EXPECT_EQ(made(contract, {}), "not usable");
}

TEST_F(Instances, FactsAreFields) {
  module_ = module_of("record C { size : int [0..], on : bool } extern f(o : ref);");
  const ContractSite site{.fact = [this](std::size_t, Term object, const std::string& fact) {
    return module_.arena->select(module_.find_state("C." + fact)->term, object);
  }};
  const std::string text = made("record c { size : int, on : bool }\n"
                                "extern `c::f`(self : ref) {\n"
                                "  self.size := self.size + 1; havoc self.on; }",
                                site);
  EXPECT_THAT(text, HasSubstr("C.size[self] := C.size[self] + 1"));
  EXPECT_THAT(text, HasSubstr("C.on[self] := chosen"));
}

TEST_F(Instances, TypeParametersAreTypes) {
  module_ = module_of("state `o.size` : int [0..] = 0; state `o.items` : map [int] bool;\n"
                      "extern f(o : ref, x : bool) : bool;");
  ContractSite site = variables();
  site.type_arguments = {Type{.sort = module_.arena->bool_sort()}};
  EXPECT_THAT(made("record `c<T>` { size : int, items : map [int] T }\n"
                   "extern `c<T>::f`(self : ref, x : T) : T {\n"
                   "  var old : T = self.items[0]; self.items[self.size] := x; return old; }",
                   site),
              HasSubstr("old : bool"));
}

TEST_F(Instances, WhatIsNotKeptIsUnknown) {
  module_ = module_of("state `o.size` : int [0..] = 0; extern f(o : ref, x : ref) : int;");
  ContractSite site = variables();
  site.type_arguments = {std::nullopt};
  const std::string text = made("record `c<T>` { size : int, items : map [int] T }\n"
                                "extern `c<T>::f`(self : ref, x : T) : int {\n"
                                "  self.items[self.size] := x;\n"
                                "  if (self.items[0] == x) self.size := 7;\n"
                                "  assume self.items[1] != x;\n"
                                "  return self.size; }",
                                site);
  EXPECT_THAT(text, HasSubstr("havoc unknown which"));
  EXPECT_THAT(text, HasSubstr("havoc unknown holds"));
  EXPECT_THAT(text, HasSubstr("o.size := 7"));
  EXPECT_THAT(text, Not(HasSubstr("items")));
}

TEST_F(Instances, ResultsThatAreNotSaid) {
  module_ = module_of("enum K { A, B } extern f() : K;");
  const std::string text = made("extern f() { return; }", {});
  EXPECT_THAT(text, HasSubstr("havoc any"));
  module_ = module_of("extern f();");
  EXPECT_THAT(made("extern f() : int { return 3; }", {}), HasSubstr("return;"));
}

TEST_F(Instances, EnumeratorsAreNumbersToThoseWhoWantThem) {
  module_ = module_of("enum K { A, B } extern f(k : K) : bool;");
  EXPECT_THAT(made("extern f(n : int) : bool { n := n + 1; return n > 1; }", {}),
              HasSubstr("int(n)"));
}

TEST_F(Instances, HelpersArePutInPlace) {
  module_ = module_of("state `o.size` : int [0..] = 0; extern f(o : ref) : int;");
  const std::string text = made("record c { size : int }\n"
                                "procedure inner(x : ref c, by : int) { x.size := x.size + by; }\n"
                                "procedure grown(x : ref c, by : int) : int {\n"
                                "  call inner(x, by); return x.size; }\n"
                                "extern `c::f`(self : ref) : int {\n"
                                "  var n : int = call grown(self, 2);\n"
                                "  n := call grown(self, 3);\n"
                                "  return n; }",
                                variables());
  EXPECT_THAT(text, Not(HasSubstr("call")));
  EXPECT_THAT(text, HasSubstr("o.size := "));
}

TEST_F(Instances, HooksRunWhatTheFrontEndSays) {
  const std::string contract = "hook ended(x : ref) : int;\n"
                               "extern f(x : ref) : int { var n : int = call ended(x); return n; }";
  const std::string text = "state n : int; extern f(x : ref) : int;\n"
                           "procedure gone(x : ref) : int { n := n + 1; return n; }";
  module_ = module_of(text);
  EXPECT_EQ(made(contract, {}), "not usable");
  EXPECT_THAT(made(contract, {.hook = [](const std::string&) { return "gone"; }}),
              HasSubstr("call gone(x)"));
  module_ = module_of(text);
  EXPECT_THAT(made(contract, {.hook = [](const std::string&) { return ""; }}),
              HasSubstr("havoc unknown"));
}

TEST_F(Instances, FailuresAreThoseOfTheCallee) {
  module_ = module_of("exception A; exception B; extern f() throws A, B;");
  const std::string text = made("extern f() { call fail(); }", {});
  EXPECT_THAT(text, HasSubstr("throw A"));
  EXPECT_THAT(text, HasSubstr("throw B"));
}

TEST_F(Instances, FreshObjects) {
  module_ = module_of("exception A; record R { } extern f() : ref;");
  EXPECT_THAT(made("extern f() : ref fresh throws A;", {}), HasSubstr("ensures result != null"));
  module_ = module_of("exception A; record R { } extern f() : ref;");
  const std::string text = made("extern f() : ref fresh throws A;", {.fresh_record = "R"});
  EXPECT_THAT(text, HasSubstr("new R"));
  EXPECT_THAT(text, HasSubstr("throw A"));
}

TEST(Apply, ContractsOutrankCode) {
  Module module = module_of("state n : int = 0; extern f() : int;\n"
                            "procedure g() { n := 5; } method m() { call g(); }");
  const auto used = add_contracts(module,
                                  "extern f() : int ensures result > n;\n"
                                  "extern g() { n := 6; }\n"
                                  "extern m() { return; }\n"
                                  "extern elsewhere(x : ref) : bool;",
                                  "c.tir");
  ASSERT_TRUE(used) << to_string(used.error());
  EXPECT_EQ(*used, 2);
  EXPECT_EQ(module.find_procedure("g")->kind, ProcedureKind::Extern);
  EXPECT_EQ(module.find_procedure("m")->kind, ProcedureKind::Method);
  EXPECT_TRUE(verify(module).empty());
  EXPECT_THAT(print_module(module), HasSubstr("n := 6"));
}

TEST(Apply, FieldsOfRecordsAreFacts) {
  Module module = module_of("record Node { size : int } extern f(x : ref Node);");
  const auto used =
      add_contracts(module, "extern f(n : ref Node) { n.size := n.size + 1; }", "c.tir");
  ASSERT_TRUE(used) << to_string(used.error());
  EXPECT_THAT(print_module(module), HasSubstr("Node.size[n] := Node.size[n] + 1"));
}

TEST(Apply, WhatFitsNoCallIsAMistake) {
  Module module = module_of("extern f(x : int);");
  const auto used = add_contracts(module, "\nextern f(x : int, y : int);", "mine.tir");
  ASSERT_FALSE(used);
  EXPECT_THAT(to_string(used.error()), HasSubstr("mine.tir:2"));
  EXPECT_THAT(to_string(used.error()), HasSubstr("does not fit its calls"));
}

} // namespace
} // namespace tacit
