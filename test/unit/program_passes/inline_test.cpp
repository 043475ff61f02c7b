// Inlining keeps behaviour: the interpreter gives the same results with and without calls.
#include "program/reduce/inline.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "program/text/print.h"
#include "random_module.h"
#include "runs.h"

namespace tacit {
namespace {

bool has_calls(const Procedure& procedure) {
  return std::ranges::any_of(
      procedure.blocks, [](const Block& block) { return block.end.kind == TerminatorKind::Call; });
}

/// Every method on every input, from the initial state and from wherever one call leads.
void expect_same_runs(const Module& before, const Module& after) {
  const Interpreter original(before, 5'000), changed(after, 50'000);
  std::vector<ConcreteState> starts{*original.initial({})};
  for (std::size_t round = 0; round < 4 && round < starts.size(); ++round) {
    for (std::size_t i = 0; i < before.procedures.size(); ++i) {
      const Procedure& method = before.procedures[i];
      if (method.kind != ProcedureKind::Method) continue;
      const ConcreteState start = starts[round];
      each_run(
          original, method, start, [&](const std::vector<Value>& inputs, const ProcedureRun& run) {
            if (run.how == RunEnd::GaveUp) return;
            const ProcedureRun other = changed.run(after.procedures[i], start, inputs);
            EXPECT_EQ(describe(before, method, run), describe(after, method, other)) << method.name;
            EXPECT_EQ(run.used, other.used);
            if (run.how == RunEnd::Returned || run.how == RunEnd::Threw)
              if (std::ranges::find(starts, run.after) == starts.end()) starts.push_back(run.after);
          });
    }
  }
}

Module inlined(const Module& module, const InlineOptions& options = {}) {
  Module copy = clone(module);
  EXPECT_EQ(inline_calls(copy, options), std::vector<std::string>{});
  EXPECT_EQ(problems(copy), "");
  for (const Procedure& procedure : copy.procedures) {
    EXPECT_FALSE(procedure.kind == ProcedureKind::Method && has_calls(procedure));
  }
  return copy;
}

TEST(Inline, KeepsArgumentsLocalsAndResults) {
  const Module module = module_from(R"(
component C
state x : int = 0
procedure swap(a : int, b : int) : int { var t : int; t := a; a := b; b := t; x := x * 10 + a; return a - b; }
procedure twice(a : int, b : int) : int { var r : int; r := call swap(b, a); r := call swap(r, a); return r; }
method m(a : int [0..2], b : int [0..2]) : int { a := call twice(b, a); return a; }
method counts() : int {
  var i : int; var r : int;
  while (i < 3) { i := i + 1; r := call bump(); }
  return r;
}
procedure bump() : int { var own : int; own := own + 1; x := x + own; return own; }
)");
  const Module changed = inlined(module);
  expect_same_runs(module, changed);
  EXPECT_EQ(run_of(changed, "counts"), "returned 1; x=3")
      << "the callee's locals start anew in each round";
  EXPECT_NE(procedure(changed, "m").find_local("twice.swap.t"), nullptr);
  EXPECT_NE(procedure(changed, "m").find_local("twice.swap.t.2"), nullptr);
}

TEST(Inline, RoutesExceptionsToTheFirstHandlerThatCovers) {
  const Module module = module_from(R"(
component C
exception Base
exception Sub : Base
exception Other
exception Last
state x : int [0..9] = 0
procedure raise(k : int) {
  var e : exception = Base;
  if (k == 0) throw Sub;
  if (k == 1) e := Other; else if (k == 2) e := Last; else if (k == 3) e := Sub;
  throw e;
}
method constant(k : int [0..4]) : int {
  var e : exception;
  try { call raise(k); } catch (Sub) { return 1; } catch (Base e) { return 2; } catch (Other e) { x := 5; throw e; }
  return 3;
}
method all(k : int [0..4]) : exception {
  var e : exception;
  try { call raise(k); } catch (Sub) { return Sub; } catch (* e) { return e; }
  return Base;
}
)");
  const Module changed = inlined(module);
  expect_same_runs(module, changed);
  EXPECT_EQ(run_of(changed, "constant", {3}), "returned 1; x=0");
  EXPECT_EQ(run_of(changed, "constant", {1}), "threw Other; x=5");
  EXPECT_EQ(run_of(changed, "constant", {2}), "threw Last; x=0");
  for (const Block& block : procedure(changed, "constant").blocks) {
    const bool from_callee = block.end.kind == TerminatorKind::Throw && block.end.where.line == 12;
    EXPECT_EQ(block.end.procedure, from_callee ? "raise" : block.end.procedure)
        << "the site keeps its procedure";
  }
}

TEST(Inline, MethodsMayCallMethodsAndNamesStayReadable) {
  const Module module = module_from(R"(
component C
state x : int = 0
method `put(int,int)`(a : int, b : int) : int { var r : int; r := a - b; x := r; return r; }
method both(a : int) : int { var r : int; r := call `put(int,int)`(a, 1); return r + x; }
)");
  const Module changed = inlined(module);
  expect_same_runs(module, changed);
  EXPECT_NE(procedure(changed, "both").find_local("put.r"), nullptr);
  const auto again = read_module(print_module(changed), "again.tir");
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  expect_same_runs(changed, *again);
}

TEST(Inline, RecursionIsSummarised) {
  const Module module = module_from(R"(
component C
exception E
state x : int [0..2] = 0
procedure down(n : int) : bool {
  var r : bool;
  if (n == 0) return true;
  if (n == 2) throw E;
  x := n; r := call down(n - 1); return !r;
}
method m(n : int [0..3]) : bool { var r : bool; try { r := call down(n); } catch (E) { r := false; } return r; }
method own(n : int [0..3]) : bool { var r : bool; if (n > 0) { r := call own(n - 1); } return r; }
)");
  Module changed = clone(module);
  const auto notes = inline_calls(changed);
  EXPECT_EQ(notes, (std::vector<std::string>{
                       "recursive call of down at test.tir:11 is summarised by its effects",
                       "recursive call of own at test.tir:12 is summarised by its effects"}));
  EXPECT_EQ(problems(changed), "");
  const Interpreter original(module), summarised(changed);
  for (const char* name : {"m", "own"}) {
    std::set<std::string> real, possible;
    const auto into = [&](std::set<std::string>& set) {
      return [&](const auto&, const ProcedureRun& run) {
        if (run.how != RunEnd::Blocked) set.insert(describe(module, procedure(module, name), run));
      };
    };
    each_run(original, procedure(module, name), *original.initial({}), into(real));
    each_run(summarised, procedure(changed, name), *summarised.initial({}), into(possible));
    EXPECT_TRUE(std::ranges::includes(possible, real)) << name;
  }
}

TEST(Inline, WhatIsTooLargeIsSummarised) {
  Module module = module_from(R"(
component C
state x : int = 0
procedure big(n : int) { if (n == 0) x := 1; else if (n == 1) x := 2; else if (n == 2) x := 3; return; }
method m(n : int) { call big(n); call big(n); return; }
)");
  const auto notes = inline_calls(module, {.limits = {.blocks = 10}});
  EXPECT_EQ(notes,
            (std::vector<std::string>{
                "big is too large to be looked into at test.tir:5; summarised by its effects"}));
  EXPECT_EQ(problems(module), "");
  EXPECT_FALSE(has_calls(procedure(module, "m")));
}

/// "Io env" and the like: what may leave a method, and whose it is.
std::set<std::string> thrown(const Module& module, const char* name) {
  std::set<std::string> found;
  const Interpreter interpreter(module);
  each_run(interpreter, procedure(module, name), *interpreter.initial({}),
           [&](const auto&, const ProcedureRun& run) {
             if (run.how != RunEnd::Threw) return;
             found.insert(to_string(run.value, module.exception_sort) +
                          (run.end->environment ? " env" : " own"));
           });
  return found;
}

TEST(Inline, FailuresOfOpaqueCalleesAreTold) {
  Module module = module_from(R"(
component C
exception Io
exception State
exception Wrapped
state closed : bool = true
extern read() : int throws Io;
procedure quiet() : int { try { call read(); } catch (Io) { return -1; } return 0; }
method plain() { call read(); return; }
method wraps() { try { call read(); } catch (Io) { throw Wrapped; } return; }
method rethrows() { var e : exception; try { call read(); } catch (* e) { throw e; } return; }
method through() { var r : int; r := call quiet(); if (r < 0) throw Wrapped; return; }
method either() { if (*) { try { call read(); } catch (Io) { } } if (closed) throw State; return; }
method own() { if (closed) throw State; call read(); return; }
method caught() { try { call own(); } catch (State) { throw Wrapped; } return; }
)");
  expand_externs(module);
  Module untracked = clone(module);
  inline_calls(module);
  EXPECT_EQ(problems(module), "");
  using Names = std::set<std::string>;
  EXPECT_EQ(thrown(module, "plain"), (Names{"Io env"}));
  EXPECT_EQ(thrown(module, "wraps"), (Names{"Wrapped env"}));
  EXPECT_EQ(thrown(module, "rethrows"), (Names{"Io env"}));
  EXPECT_EQ(thrown(module, "through"), (Names{"Wrapped env"}))
      << "the failure is known across the helper's return";
  EXPECT_EQ(thrown(module, "either"), (Names{"State env", "State own"}));
  EXPECT_EQ(thrown(module, "own"), (Names{"State own"}));
  EXPECT_EQ(thrown(module, "caught"), (Names{"Wrapped own"}));
  EXPECT_EQ(procedure(module, "wraps").find_local("failed"), nullptr)
      << "no flag where the graph tells";
  EXPECT_NE(procedure(module, "either").find_local("failed"), nullptr);

  inline_calls(untracked, {.track_failures = false});
  EXPECT_EQ(thrown(untracked, "plain"), (Names{"Io env"}));
  EXPECT_EQ(thrown(untracked, "wraps"), (Names{"Wrapped own"}));
}

TEST(Inline, RandomModulesBehaveAlike) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    const std::string text = RandomModule(seed).text();
    Module module = module_from(text);
    expand_externs(module);
    ASSERT_EQ(problems(module), "") << text;
    expect_same_runs(module, inlined(module, {.limits = {}, .track_failures = seed % 2 == 0}));
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << text;
  }
}

/// Who chooses the callee's `x` in the method `m`.
Chooser chooser_in(const char* text) {
  const Module module = inlined(module_from(text));
  for (const Block& block : procedure(module, "m").blocks)
    for (const Statement& s : block.statements)
      if (s.kind == StatementKind::Havoc && s.target->name == "f.x") return s.chooser;
  ADD_FAILURE() << print_module(module);
  return Chooser::Client;
}

TEST(Inline, WhatACalleeLeavesToItsClientIsChosenByTheClientOfWhoHandsHisArgumentsOn) {
  const std::string f = R"(component C
state s : ref = null
extern other();
method f(p : ref) { var x : bool; havoc client x; if (x) error Bad; return; }
)";
  auto with = [&](const std::string& m) { return chooser_in((f + m).c_str()); };
  EXPECT_EQ(with("method m(q : ref) { if (q == null) return; call f(q); return; }"),
            Chooser::Client);
  // Not the argument, not the argument as it was, or something has happened since.
  EXPECT_EQ(with("method m(q : ref) { call f(s); return; }"), Chooser::Unknown);
  EXPECT_EQ(with("method m(q : ref) { q := s; call f(q); return; }"), Chooser::Unknown);
  EXPECT_EQ(with("method m(q : ref) { var x : bool; havoc client x; if (x) call f(q); return; }"),
            Chooser::Unknown);
  EXPECT_EQ(with("method m(q : ref) { while (q != s) call f(q); return; }"), Chooser::Unknown);
}

} // namespace
} // namespace tacit
