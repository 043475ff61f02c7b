// Error specifications: their shapes, and which exits become errors.
#include "program/observe/instrument.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "program/reduce/inline.h"
#include "random_module.h"
#include "runs.h"

namespace tacit {
namespace {

using Kind = ErrorSpec::Kind;

ErrorSpec spec(const std::string& text) {
  auto parsed = parse_error_spec(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed ? *parsed : ErrorSpec{};
}

/// A copy of the module with these errors only, the notes, and what no error can satisfy.
struct WithErrors {
  Module module;
  std::vector<std::string> notes, unmatched;
};

WithErrors instrumented(const Module& module, const std::vector<std::string>& texts,
                        bool translated = false) {
  WithErrors result{clone(module), {}, {}};
  std::vector<ErrorSpec> specs;
  for (const std::string& text : texts) specs.push_back(spec(text));
  auto done = instrument_errors(result.module, specs, {.translated_errors = translated});
  EXPECT_TRUE(done.has_value()) << to_string(done.error());
  if (done) result.notes = done->notes;
  if (done) result.unmatched = done->unmatched;
  EXPECT_EQ(problems(result.module), "");
  return result;
}

std::string refusal(const Module& module, const std::string& text) {
  Module copy = clone(module);
  const auto notes = instrument_errors(copy, {spec(text)}, {});
  return notes ? "" : notes.error().message;
}

TEST(ErrorSpec, ReadsEveryForm) {
  EXPECT_EQ(spec("assert").kind, Kind::Assert);
  EXPECT_EQ(spec("throws:*").subject, "*");
  EXPECT_EQ(spec("throws:std::logic_error").subject, "std::logic_error");
  EXPECT_EQ(spec("throws:E@Class.method").site, "Class.method");
  EXPECT_EQ(spec("throws:E@src/x.cpp:12").site, "src/x.cpp:12");
  EXPECT_EQ(spec("returns:<0").condition, "<0");
  EXPECT_EQ(spec("returns:-1").method, "");
  EXPECT_EQ(spec("read = returns:!=0").method, "read");
  EXPECT_EQ(spec("write(byte[],int)=returns:X").method, "write(byte[],int)");
  EXPECT_EQ(spec("reach:png_error").kind, Kind::Reach);
  EXPECT_EQ(spec(" state:e != 0 ").condition, "e != 0");
  EXPECT_EQ(spec("error:Stop").subject, "Stop");
  EXPECT_EQ(spec("error:*").kind, Kind::Named);
}

TEST(ErrorSpec, RejectsTheRestWithTheForms) {
  for (const char* text : {"", "asserts", "throws:", "throws:@x", "throws:E@", "returns:",
                           "=returns:1", "m returns:1", "reach:", "state:", "error:", "nonsense"}) {
    const auto parsed = parse_error_spec(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_NE(parsed.error().message.find("reach:FUNCTION"), std::string::npos);
  }
}

const char* const throwing = R"(
component Sig
exception RuntimeException
exception java.lang.IllegalStateException : RuntimeException
exception Io
state x : int [0..9] = 0
extern read() throws Io;
procedure check(k : int) { if (k == 0) throw java.lang.IllegalStateException @Sig.java:7; return; }
method sign(k : int [0..3]) { call check(k); if (k == 1) throw RuntimeException @Sig.java:9; call read(); return; }
method any(e : exception) { throw e; }
)";

Module throwing_module() {
  Module module = module_from(throwing);
  expand_externs(module);
  inline_calls(module);
  return module;
}

TEST(Instrument, ThrowsByTypeWithSubtypes) {
  const Module module = throwing_module();
  auto result = instrumented(module, {"throws:IllegalStateException"});
  EXPECT_EQ(run_of(result.module, "sign", {0}), "error throws:IllegalStateException; x=0");
  EXPECT_EQ(run_of(result.module, "sign", {1}), "threw RuntimeException; x=0");
  EXPECT_EQ(run_of(result.module, "any", {0}), "threw RuntimeException; x=0");
  EXPECT_EQ(run_of(result.module, "any", {1}), "error throws:IllegalStateException; x=0");

  result = instrumented(module, {"throws:java.lang.RuntimeException"});
  EXPECT_EQ(run_of(result.module, "sign", {0}), "error throws:java.lang.RuntimeException; x=0");
  EXPECT_EQ(run_of(result.module, "sign", {1}), "error throws:java.lang.RuntimeException; x=0");
  EXPECT_EQ(run_of(result.module, "any", {2}), "threw Io; x=0");

  EXPECT_EQ(refusal(module, "throws:my.IllegalStateException"),
            "'throws:my.IllegalStateException': the program has no exception "
            "'my.IllegalStateException'; it has "
            "RuntimeException, java.lang.IllegalStateException, Io");
}

TEST(Instrument, FailuresOfTheEnvironmentAreNoErrorsUnlessAsked) {
  const Module module = throwing_module();
  EXPECT_EQ(run_of(instrumented(module, {"throws:*"}).module, "sign", {2, 1}), "threw Io; x=0");
  EXPECT_EQ(run_of(instrumented(module, {"throws:*"}, true).module, "sign", {2, 1}),
            "error throws:*; x=0");
}

TEST(Instrument, ThrowsAtASite) {
  const Module module = throwing_module();
  for (const char* site : {"throws:*@Sig.check", "throws:*@check", "throws:*@Sig.java:7"}) {
    const auto result = instrumented(module, {site});
    EXPECT_EQ(run_of(result.module, "sign", {0}), std::string("error ") + site + "; x=0");
    EXPECT_EQ(run_of(result.module, "sign", {1}), "threw RuntimeException; x=0");
  }
  EXPECT_EQ(instrumented(module, {"throws:*@Other.check"}).unmatched.size(), 1u);
}

TEST(Instrument, Returns) {
  const Module module = module_from(R"(
component C
enum Code { OK, BAD = -4, WORSE = -5 }
state x : int [-9..9] = 0
method number(k : int) : int { if (k == 7) return -1; return k; }
method code(k : bool) : Code { if (k) return BAD; return OK; }
method truth() : bool { return true; }
method nothing() { return; }
)");
  auto result = instrumented(module, {"returns:<0"});
  EXPECT_EQ(run_of(result.module, "number", {7}), "error returns:<0; x=0");
  EXPECT_EQ(run_of(result.module, "number", {-3}), "error returns:<0; x=0");
  EXPECT_EQ(run_of(result.module, "number", {0}), "returned 0; x=0");
  EXPECT_EQ(run_of(result.module, "code", {1}), "error returns:<0; x=0")
      << "enumerators have numbers";
  EXPECT_EQ(run_of(result.module, "code", {0}), "returned OK; x=0");

  result = instrumented(module, {"returns:BAD"});
  EXPECT_EQ(run_of(result.module, "code", {1}), "error returns:BAD; x=0");
  EXPECT_EQ(run_of(result.module, "number", {-4}), "returned -4; x=0")
      << "another call returns the type: a number is not meant";
  result = instrumented(module, {"number=returns:BAD"});
  EXPECT_EQ(run_of(result.module, "number", {-4}), "error number=returns:BAD; x=0")
      << "as the number it stands for";

  result = instrumented(module, {"code=returns:BAD", "number=returns:-1"});
  EXPECT_EQ(run_of(result.module, "number", {-4}), "returned -4; x=0");
  EXPECT_EQ(run_of(result.module, "number", {7}), "error number=returns:-1; x=0");

  result = instrumented(module, {"n*r=returns:<0"});
  EXPECT_EQ(run_of(result.module, "number", {7}), "error n*r=returns:<0; x=0");
  EXPECT_EQ(run_of(result.module, "code", {1}), "returned BAD; x=0");
  EXPECT_EQ(run_of(instrumented(module, {"*=returns:<0"}).module, "code", {1}),
            "error *=returns:<0; x=0");
  EXPECT_EQ(refusal(module, "frame_*=returns:1"),
            "'frame_*=returns:1': there is no method 'frame_*' that returns a value");

  EXPECT_EQ(run_of(instrumented(module, {"truth=returns:true"}).module, "truth"),
            "error truth=returns:true; x=0");
  EXPECT_EQ(refusal(module, "nubmer=returns:1"), "'nubmer=returns:1': there is no method 'nubmer' "
                                                 "that returns a value; did you mean 'number'?");
  EXPECT_EQ(refusal(module, "truth=returns:<true"),
            "'truth=returns:<true': values of type bool are not ordered");
  EXPECT_NE(refusal(module, "returns:NONE"), "");
  EXPECT_NE(refusal(module, "returns:x"), "");
}

TEST(Instrument, StateAfterACall) {
  const Module module = module_from(R"(
component C
exception E
state x : int [0..9] = 0
constructor C(k : int [0..9]) { x := k; return; }
method add() { x := x + 3; if (x > 5) throw E; return; }
)");
  const auto result = instrumented(module, {"state:x == 3 || x == 7"});
  EXPECT_EQ(run_of(result.module, "add"), "error state:x == 3 || x == 7; x=3");
  EXPECT_EQ(run_of(result.module, "C", {7}), "error state:x == 3 || x == 7; x=7");
  EXPECT_EQ(run_of(result.module, "C", {6}), "returned; x=6");
  EXPECT_NE(refusal(module, "state:z == 0").find("z"), std::string::npos);
}

TEST(Instrument, OtherErrorsAreCutOff) {
  const Module module = module_from(R"(
component C
state x : int = 0
method m(k : int) : int { x := 1; assert k != 0; if (k == 1) error Stop; if (k == 2) { x := 2; error Go; } return k; }
method always() : int { error Stop; }
)");
  auto result = instrumented(module, {"error:Stop"});
  EXPECT_EQ(run_of(result.module, "m", {0}), "blocked");
  EXPECT_EQ(run_of(result.module, "m", {1}), "error Stop; x=1");
  EXPECT_EQ(run_of(result.module, "m", {2}), "blocked");
  EXPECT_EQ(run_of(result.module, "m", {3}), "returned 3; x=1");
  ASSERT_EQ(result.notes.size(), 2u);
  EXPECT_EQ(result.notes[0],
            "error 'Go' at test.tir:4 in m does not count; runs that reach it are left out");

  result = instrumented(module, {"assert"});
  EXPECT_EQ(run_of(result.module, "m", {0}), "error assert; x=1");
  EXPECT_EQ(run_of(result.module, "always"), "blocked");

  EXPECT_EQ(run_of(instrumented(module, {}).module, "m", {2}), "error Go; x=2");
  EXPECT_EQ(run_of(instrumented(module, {"error:*"}).module, "m", {2}), "error Go; x=2");
  EXPECT_EQ(refusal(module, "error:Stob"),
            "'error:Stob': the program has no error 'Stob'; did you mean 'Stop'?");
}

TEST(Instrument, ReachedFunctions) {
  Module module = module_from(R"(
component C
state x : int = 0
extern png_error(code : int) ;
procedure check(k : int) { if (k == 0) { call png_error(3); x := 5; } return; }
method m(k : int) { call check(k); return; }
)");
  EXPECT_EQ(mark_reached(module, "png_error"), 1u);
  EXPECT_EQ(problems(module), "");
  expand_externs(module);
  inline_calls(module);
  const auto result = instrumented(module, {"reach:png_error"});
  EXPECT_EQ(run_of(result.module, "m", {0}), "error reach:png_error; x=0");
  EXPECT_EQ(run_of(result.module, "m", {1}), "returned; x=0");
  EXPECT_EQ(instrumented(module, {"error:*", "reach:abort"}).notes,
            (std::vector<std::string>{"'reach:abort': no method or constructor calls it"}));
}

TEST(Instrument, RandomModulesErrWhereTheSpecificationSays) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::string text = RandomModule(seed).text();
    Module module = module_from(text);
    expand_externs(module);
    inline_calls(module);
    const auto result = instrumented(module, {"throws:A", "returns:2", "state:mode == Hot"}, true);
    const Interpreter before(module), after(result.module);
    const std::size_t m = module.procedures.size() - 1;
    each_run(before, module.procedures[m], *before.initial({}),
             [&](const auto& inputs, const ProcedureRun& run) {
               const ProcedureRun other =
                   after.run(result.module.procedures[m], *after.initial({}), inputs);
               std::string expected = describe(module, module.procedures[m], run);
               if (run.how == RunEnd::Erred) expected = "blocked";
               const auto erred = [&](const char* name) {
                 return fmt::format("error {}; {}", name, to_string(module, run.after));
               };
               if (run.how == RunEnd::Threw && run.value.number <= 1)
                 expected = erred("throws:A");
               else if (run.how == RunEnd::Returned && run.value.number == 2)
                 expected = erred("returns:2");
               else if ((run.how == RunEnd::Threw || run.how == RunEnd::Returned) &&
                        run.after.values[2].number == 2)
                 expected = erred("state:mode == Hot");
               EXPECT_EQ(describe(result.module, module.procedures[m], other), expected);
             });
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << text;
  }
}

TEST(Instrument, WhatIsRethrownCountsIfItCanBeTheError) {
  const char* text = R"(
component C
exception A
exception B
state x : bool = false
method m() {
  var e : exception;
  e := A;
  if (x) { e := WHAT; }
  throw e;
}
)";
  for (const bool may : {false, true}) {
    std::string with = text;
    with.replace(with.find("WHAT"), 4, may ? "B" : "A");
    const Module made = instrumented(module_from(with), {"throws:B"}).module;
    EXPECT_EQ(
        std::ranges::any_of(procedure(made, "m").blocks,
                            [](const Block& b) { return b.end.kind == TerminatorKind::Error; }),
        may);
  }
}

} // namespace
} // namespace tacit
