// Bodies of externs, effects, and summaries.
#include <set>

#include <gtest/gtest.h>

#include "program/graph/effects.h"
#include "program/ir/scope.h"
#include "runs.h"

namespace tacit {
namespace {

using Names = std::set<std::string>;

TEST(Externs, ClausesBecomeABody) {
  Module module = module_from(R"(
component C
exception A
exception B
state size : int [0..2] = 0
extern get(i : int) : int [0..3] throws A, B writes size ensures result < size;
extern hand(i : int) { if (i == 0) throw A; return; }
method m(i : int) : int { var r : int; r := call get(i); return r; }
)");
  expand_externs(module);
  EXPECT_EQ(problems(module), "");
  // Inputs: the parameter, size, then a choice for A and one for B, then the result.
  EXPECT_EQ(run_of(module, "m", {0, 2, 1}), "threw A; size=2");
  EXPECT_EQ(run_of(module, "m", {0, 2, 0, 1}), "threw B; size=2");
  EXPECT_EQ(run_of(module, "m", {0, 2, 0, 0, 1}), "returned 1; size=2");
  EXPECT_EQ(run_of(module, "m", {0, 1, 0, 0, 1}), "blocked");
  EXPECT_EQ(run_of(module, "m", {0, 2, 0, 0, 4}), "blocked");
  for (const char* name : {"get", "hand"})
    for (const Block& block : procedure(module, name).blocks)
      EXPECT_TRUE(block.end.kind != TerminatorKind::Throw || block.end.environment);
}

/// What nobody chooses fits what is said of it: no run is blocked by it.
TEST(Externs, UnknownResultsFit) {
  Module module = module_from(R"(
component C
state size : int [0..2] = 0
extern count() : int origin unknown ensures result >= 0 && result <= 7;
extern made() : ref origin unknown ensures result != null;
extern above() : int origin unknown ensures result > size;
extern chosen() : int ensures result >= 0;
method m() : int { var r : int; r := call count(); return r; }
method n() : bool { var r : ref; r := call made(); return r == null; }
method o() : int { var r : int; r := call above(); return r; }
method p() : int { var r : int; r := call chosen(); return r; }
)");
  expand_externs(module);
  EXPECT_EQ(problems(module), "");
  EXPECT_EQ(run_of(module, "m", {5}), "returned 5; size=0");
  EXPECT_EQ(run_of(module, "m", {-1}), "returned 0; size=0");
  EXPECT_EQ(run_of(module, "n", {0}), "returned false; size=0");
  EXPECT_EQ(run_of(module, "o", {0}), "blocked");
  EXPECT_EQ(run_of(module, "p", {-1}), "blocked");
}

TEST(Effects, FollowCallsHandlersAndRecursion) {
  const Module module = module_from(R"(
component C
exception Base
exception Sub : Base
exception Io
record R { f : int }
state a : int = 0
state b : int = 0
state r : ref R = null
extern read() : int throws Io writes b;
procedure ping(n : int) { if (n == 0) throw Sub; a := n; call pong(n - 1); return; }
procedure pong(n : int) { call read(); call ping(n); return; }
procedure never() { error Stop; }
method caught() { try { call ping(3); } catch (Base) { return; } return; }
method after() { call never(); a := 1; return; }
method allocates() { r := new R; return; }
method rethrows(e : exception) { throw e; }
)");
  const auto all = effects(module);
  const auto of = [&](std::string_view name) -> const Effects& {
    return all[static_cast<std::size_t>(module.find_procedure(name) - module.procedures.data())];
  };
  // Every ping ends in a throw sooner or later: the recursion has no other way out.
  EXPECT_EQ(of("ping").writes, (Names{"a", "b"}));
  EXPECT_EQ(of("ping").throws, (Names{"Io", "Sub"}));
  EXPECT_EQ(of("ping").failures, (Names{"Io"}));
  EXPECT_FALSE(of("ping").returns);
  EXPECT_EQ(of("caught").throws, (Names{"Io"}));
  EXPECT_TRUE(of("caught").returns);
  EXPECT_EQ(of("after").writes, Names{});
  EXPECT_EQ(of("after").errors, (Names{"Stop"}));
  EXPECT_FALSE(of("after").returns);
  EXPECT_TRUE(of("allocates").allocates);
  EXPECT_EQ(of("rethrows").throws, (Names{"Base", "Io", "Sub"}));
  EXPECT_EQ(of("read").reads, Names{});
}

TEST(Effects, SummaryHasTheSameSignatureAndEveryEnd) {
  const Module module = module_from(R"(
component C
exception E
state a : int [0..1] = 0
procedure p(n : int) : bool { if (n == 0) throw E; if (n == 1) error Bad; a := 1; return true; }
method m(n : int) : bool { var r : bool; r := call p(n); return r; }
)");
  const Procedure& p = procedure(module, "p");
  const Procedure made = summary(module, p, effects(module)[0]);
  EXPECT_EQ(made.parameters.size(), 1u);
  std::set<std::string> ends;
  const Interpreter interpreter(module);
  each_run(interpreter, made, *interpreter.initial({}),
           [&](const auto&, const ProcedureRun& run) { ends.insert(describe(module, made, run)); });
  EXPECT_EQ(ends, (Names{"returned false; a=0", "returned true; a=0", "returned false; a=1",
                         "returned true; a=1", "threw E; a=0", "threw E; a=1", "error Bad; a=0",
                         "error Bad; a=1"}));
}

TEST(Scope, ResolvesFieldsEnumeratorsAndLaterLocals) {
  Module module = module_from(R"(
component C
enum Mode { Idle, Busy }
enum Light { Busy, Off }
exception X
exception Y : X
record Node { next : ref Node, item : int }
state head : ref Node = null
method m(e : exception) { return; }
)");
  Procedure& m = *module.find_procedure("m");
  const ModuleScope scope(module, &m);
  TermArena& arena = *module.arena;
  const Term head = scope.lookup("head");
  const Term next = arena.select(scope.lookup("Node.next"), head);
  EXPECT_EQ(scope.field("head", "next"), next);
  EXPECT_EQ(scope.field("head.next", "item"), arena.select(scope.lookup("Node.item"), next));
  EXPECT_EQ(scope.field("head", "prev"), nullptr);
  EXPECT_EQ(scope.enumerator("Busy", nullptr), nullptr) << "ambiguous";
  EXPECT_EQ(scope.enumerator("Busy", module.enums[1]), arena.enumerator(module.enums[1], 0));
  EXPECT_EQ(scope.enumerator("Mode.Busy", nullptr), arena.enumerator(module.enums[0], 1));
  EXPECT_EQ(scope.enumerator("Off", nullptr), arena.enumerator(module.enums[1], 1));
  EXPECT_EQ(scope.enumerator("X", nullptr), arena.enumerator(module.exception_sort, 0));
  EXPECT_EQ(scope.lookup("later"), nullptr);
  m.locals.push_back({arena.var("later", arena.int_sort()), Type{.sort = arena.int_sort()}});
  EXPECT_EQ(scope.lookup("later"), m.locals.back().term);
}

} // namespace
} // namespace tacit
