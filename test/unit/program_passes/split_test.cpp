// Letters and outcomes.
#include "program/observe/split.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "program/reduce/inline.h"
#include "random_module.h"
#include "runs.h"

namespace tacit {
namespace {

using Names = std::vector<std::string>;

TEST(Letters, SpecificationsHaveThreeParts) {
  const auto spec = parse_letter_spec("abort_low = abort(int) when altitude < 120000 && k == 1");
  ASSERT_TRUE(spec.has_value());
  EXPECT_EQ(spec->name, "abort_low");
  EXPECT_EQ(spec->method, "abort(int)");
  EXPECT_EQ(spec->condition, "altitude < 120000 && k == 1");
  for (const char* text :
       {"", "a = b", "a when x", "= b when x", "a = when x", "a = b when ", "a b = c when x"})
    EXPECT_FALSE(parse_letter_spec(text).has_value()) << text;
}

const char* const flight = R"(
component Flight
state x : int [0..9] = 0
client state altitude : int [0..9] = 3
method abort(k : int [0..9]) { var t : int; x := k; return; }
method spin(k : int [0..9]) { while (k > 0) { k := k - 1; x := x + 1; } return; }
)";

TEST(Letters, CopiesAssumeTheirConditionAndTheMethodKeepsTheRest) {
  Module module = module_from(flight);
  const auto conditions = split_letters(module, {{"low", "abort", "altitude < 5 && k < 2"},
                                                 {"mid", "abort", "k == 5"},
                                                 {"long", "spin", "k >= 2"}});
  ASSERT_TRUE(conditions.has_value()) << to_string(conditions.error());
  EXPECT_EQ(problems(module), "");
  ASSERT_EQ(conditions->size(), 2u);
  EXPECT_EQ((*conditions)[0].method, "abort");
  EXPECT_EQ((*conditions)[0].letters.size(), 2u);
  Names order;
  for (const Procedure& p : module.procedures) order.push_back(p.name);
  EXPECT_EQ(order, (Names{"abort", "low", "mid", "spin", "long"}));
  EXPECT_EQ(run_of(module, "low", {1}), "returned; x=1, altitude=3");
  EXPECT_EQ(run_of(module, "low", {2}), "blocked");
  EXPECT_EQ(run_of(module, "mid", {5}), "returned; x=5, altitude=3");
  EXPECT_EQ(run_of(module, "abort", {1}), "blocked");
  EXPECT_EQ(run_of(module, "abort", {5}), "blocked");
  EXPECT_EQ(run_of(module, "abort", {2}), "returned; x=2, altitude=3");
  EXPECT_EQ(run_of(module, "long", {3}), "returned; x=3, altitude=3")
      << "assumed once, not in each round";
  EXPECT_EQ(run_of(module, "spin", {3}), "blocked");
  EXPECT_EQ(procedure(module, "low").blocks[0].end.procedure, "abort");
}

TEST(Letters, RejectWhatTheClientDoesNotControl) {
  const auto refused = [](const LetterSpec& spec) {
    Module module = module_from(flight);
    const auto result = split_letters(module, {spec});
    return result ? "" : result.error().message;
  };
  EXPECT_EQ(refused({"a", "abort", "x == 0"}),
            "letter 'a': 'x' is neither a parameter of abort nor state that the client owns");
  EXPECT_EQ(refused({"a", "abort", "t == 0"}),
            "letter 'a': 't' is neither a parameter of abort nor state that the client owns");
  EXPECT_EQ(refused({"a", "abord", "k == 0"}),
            "letter 'a': there is no method 'abord'; did you mean 'abort'?");
  EXPECT_EQ(refused({"spin", "abort", "k == 0"}),
            "letter 'spin': there is a procedure or letter of that name");
  EXPECT_NE(refused({"a", "abort", "k +"}), "");
}

/// Outcomes of `m` in a module with this body; checks that every run has the outcome that its value
/// says.
Names outcomes(const std::string& signature, const std::string& body,
               const OutcomeOptions& options = {}) {
  Module module = module_from(fmt::format(R"(
component C
enum Mode {{ Off, On = 4, Hot }}
exception my.pkg.Fail
exception Io
exception other.Fail
state x : int [0..3] = 0
state mode : Mode = Off
extern e() : int [-2..2] throws Io;
method m({} {{ {} }}
)",
                                          signature, body));
  expand_externs(module);
  inline_calls(module);
  Procedure& m = *module.find_procedure("m");
  const Names names = split_outcomes(module, m, options);
  EXPECT_EQ(problems(module), "");
  EXPECT_TRUE(std::ranges::is_sorted(names));
  const Interpreter interpreter(module);
  each_run(interpreter, m, *interpreter.initial({}), [&](const auto&, const ProcedureRun& run) {
    if (run.how != RunEnd::Returned && run.how != RunEnd::Threw) return;
    ASSERT_GE(run.end->outcome, 0);
    const std::string name = names.at(static_cast<std::size_t>(run.end->outcome));
    if (options.blind || name == "returns") return;
    if (run.how == RunEnd::Threw) {
      EXPECT_EQ(name, run.value.number == 1 ? "throws=Io" : "throws=Fail");
      return;
    }
    const std::string exact = "returns=" + to_string(run.value, m.returns->sort);
    const bool named = std::ranges::find(names, exact) != names.end();
    EXPECT_EQ(name, named ? exact : "returns=other");
  });
  return names;
}

TEST(Outcomes, OfBoolsEnumerationsAndNothing) {
  EXPECT_EQ(outcomes(")", "return;"), (Names{"returns"}));
  EXPECT_EQ(outcomes(") : bool", "return true;"), (Names{"returns=true"}));
  EXPECT_EQ(outcomes(") : bool", "return x == 0;"), (Names{"returns=false", "returns=true"}));
  EXPECT_EQ(outcomes(") : Mode", "return mode;"),
            (Names{"returns=Hot", "returns=Off", "returns=On"}));
  EXPECT_EQ(outcomes(") : Mode", "return x == 0 ? Hot : On;"),
            (Names{"returns=Hot", "returns=On"}));
  EXPECT_EQ(outcomes(")", "while (true) { x := 0; }"), (Names{"returns"}));
}

TEST(Outcomes, OfIntegers) {
  EXPECT_EQ(outcomes("k : int [0..3]) : int", "if (k == 0) return -1; return 7;"),
            (Names{"returns=-1", "returns=7"}));
  EXPECT_EQ(outcomes("k : int [0..3]) : int", "return k;"), (Names{"returns"}));
  EXPECT_EQ(outcomes("k : int [0..3]) : int", "if (x == 0 && k > 1) return 2; return k;"),
            (Names{"returns=2", "returns=other"}));
  EXPECT_EQ(outcomes("k : int [0..3]) : int",
                     "if (k == 0) return 1; if (k == 1) return 2; return 3;", {.max_constants = 2}),
            (Names{"returns"}));
  EXPECT_EQ(outcomes(") : ref", "if (*) return null; var r : ref; havoc r; return r;"),
            (Names{"returns=null", "returns=other"}));
}

TEST(Outcomes, LookThroughLocalsThatCollectTheResult) {
  EXPECT_EQ(
      outcomes("k : int [0..3]) : int", "var r : int; if (k == 0) r := -1; else r := 1; return r;"),
      (Names{"returns=-1", "returns=1"}));
  EXPECT_EQ(outcomes("k : int [0..3]) : int", "var r : int; if (k == 0) r := -1; return r;"),
            (Names{"returns=-1", "returns=0"}));
  EXPECT_EQ(outcomes("k : int [0..3]) : int", "var r : int; var s : int; if (k == 0) r := -1; s := "
                                              "r; r := 5; if (k == 1) s := 2; return s;"),
            (Names{"returns=-1", "returns=0", "returns=2"}));
  EXPECT_EQ(outcomes(") : int", "var r : int; r := call e(); if (r < 0) return r; return 0;"),
            (Names{"returns=0", "returns=other", "throws=Io"}));
  EXPECT_EQ(outcomes(") : int", "var i : int; while (i < x) { i := i + 1; } return i;"),
            (Names{"returns"}))
      << "a counter";
}

TEST(Outcomes, OfExceptions) {
  EXPECT_EQ(outcomes("k : bool)", "if (k) throw my.pkg.Fail; throw Io;"),
            (Names{"throws=Fail", "throws=Io"}));
  EXPECT_EQ(outcomes("k : exception)", "throw k;"), (Names{"throws=Fail", "throws=Io"}));
  EXPECT_EQ(
      outcomes(")",
               "var e : exception; try { call e(); } catch (* e) { x := 1; throw e; } return;"),
      (Names{"returns", "throws=Io"}));
}

TEST(Outcomes, Blind) {
  EXPECT_EQ(outcomes("k : bool) : bool", "if (k) throw Io; return k;", {.blind = true}),
            (Names{"any"}));
}

TEST(Outcomes, RandomModules) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::string text = RandomModule(seed).text();
    Module module = module_from(text);
    expand_externs(module);
    inline_calls(module);
    const Module before = clone(module);
    Procedure& m = module.procedures.back();
    const Names names = split_outcomes(module, m, {});
    ASSERT_EQ(problems(module), "");
    const Interpreter original(before), interpreter(module);
    each_run(original, before.procedures.back(), *original.initial({}),
             [&](const auto& inputs, const ProcedureRun& run) {
               const ProcedureRun other = interpreter.run(m, *interpreter.initial({}), inputs);
               EXPECT_EQ(describe(before, m, run), describe(module, m, other));
               if (run.how != RunEnd::Returned && run.how != RunEnd::Threw) return;
               const std::string name = names.at(static_cast<std::size_t>(other.end->outcome));
               std::string expected = "returns=" + to_string(run.value.number);
               if (run.how == RunEnd::Threw)
                 expected = "throws=" + to_string(run.value, module.exception_sort);
               else if (std::ranges::find(names, expected) == names.end())
                 expected = name == "returns" ? name : "returns=other";
               EXPECT_EQ(name, expected);
               EXPECT_EQ(run.end->environment, other.end->environment);
             });
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << text;
  }
}

} // namespace
} // namespace tacit
