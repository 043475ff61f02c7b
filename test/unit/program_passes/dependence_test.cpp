// What the cones of some sinks hold under each policy.
#include "program/graph/dependence.h"

#include <gtest/gtest.h>

#include "program/text/read.h"

namespace tacit {
namespace {

Module read(const char* text) {
  auto module = read_module(text, "test.tir");
  EXPECT_TRUE(module) << to_string(module.error());
  return std::move(*module);
}

std::size_t index(const Module& module, std::string_view name) {
  return static_cast<std::size_t>(module.find_procedure(name) - module.procedures.data());
}

/// The state variables that the errors of a procedure depend on.
std::string of_errors(const Module& module, DependencePolicy policy, std::string_view procedure) {
  const DependenceGraph graph(module, std::move(policy));
  Cone cone(graph);
  const std::size_t i = index(module, procedure);
  for (BlockId b = 0; b < module.procedures[i].blocks.size(); ++b)
    if (module.procedures[i].blocks[b].end.kind == TerminatorKind::Error) cone.add(graph.run(i, b));
  std::string names;
  for (const StateVariable& v : module.state)
    if (cone.has_state(v.term)) names += v.name() + " ";
  return names;
}

constexpr const char* joined = R"(component C
state a : int = 0
state b : int = 0
state c : int = 0
state d : int = 0
method use() {
  if (a > 0) d := 1;
  if (b > 0) error Bad;
  return;
}
method set() { b := c; return; }
)";

TEST(Dependence, ControlCountsWhereItDecides) {
  EXPECT_EQ(of_errors(read(joined), {.control = Control::Decides}, "use"), "b c ");
}

TEST(Dependence, ControlCountsForAllBehindIt) {
  EXPECT_EQ(of_errors(read(joined), {.control = Control::Behind}, "use"), "a b c ");
}

TEST(Dependence, WithoutControlNothingDecides) {
  EXPECT_EQ(of_errors(read(joined), {}, "use"), "");
}

TEST(Dependence, PoliciesLeaveOutFlowsAndProcedures) {
  const Module module = read(joined);
  const Term c = module.find_state("c")->term;
  EXPECT_EQ(of_errors(module,
                      {.control = Control::Decides,
                       .flows = [&](const Statement&, Term read) { return read != c; }},
                      "use"),
            "b ");
  const std::size_t use = index(module, "use");
  EXPECT_EQ(of_errors(module,
                      {.control = Control::Decides,
                       .covers = [&](std::size_t procedure) { return procedure == use; }},
                      "use"),
            "b ");
}

TEST(Dependence, ArgumentsCountWhereParameterAndCallDo) {
  const Module module = read(R"(component C
state a : int = 0
state b : int = 0
state used : int = 0
procedure same(x : int) : int { return x; }
method first() { var r : int; r := call same(a); if (r > 0) error Bad; return; }
method second() { var r : int; r := call same(b); used := r; return; }
)");
  EXPECT_EQ(of_errors(module, {.control = Control::Decides, .calls = true}, "first"), "a ");
}

TEST(Dependence, CalleesWithAnEffectDecide) {
  const Module module = read(R"(component C
state a : bool = false
state b : bool = false
state c : bool = false
procedure set() { if (b) a := true; return; }
method use() { if (a) error Bad; return; }
method go() { if (c) call set(); return; }
)");
  EXPECT_EQ(of_errors(module, {.control = Control::Decides, .calls = true}, "use"), "a b c ");
}

TEST(Dependence, AssumptionsBindChoices) {
  const char* text = R"(component C
state a : int = 0
state b : int = 0
method use() {
  var x : int;
  havoc x;
  assume x > b;
  if (x > a) error Bad;
  return;
}
)";
  EXPECT_EQ(of_errors(read(text), {.control = Control::Decides}, "use"), "a ");
  EXPECT_EQ(of_errors(read(text), {.control = Control::Decides, .choices = true}, "use"), "a b ");
}

TEST(Dependence, LocalsOfOneNameCountTogetherWhereAsked) {
  const char* text = R"(component C
state a : int = 0
state b : int = 0
method use() { var x : int; x := a; if (x > 0) error Bad; return; }
method other() { var x : int; x := b; return; }
)";
  EXPECT_EQ(of_errors(read(text), {.control = Control::Decides}, "use"), "a ");
  EXPECT_EQ(of_errors(read(text), {.control = Control::Decides, .by_name = true}, "use"), "a b ");
}

} // namespace
} // namespace tacit
