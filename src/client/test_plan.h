// Which tests show that a component follows its interface: words with arguments that take every
// transition, stand on both sides of every boundary of a guard, and end in every refused call.
//
// The words are found by a search of the places that concrete words lead to (interface/walk.h),
// with arguments that conditions mention and their neighbours (interface/choices.h). Nothing of the
// component is executed: what is proved of the interface says what has to come of them. A word
// whose outcome the environment decides is a hope; the written test says so when it runs and the
// environment did not oblige. Words that rest on less come first.
//
// Neutral between languages: cpp_tests.h and java_tests.h write a plan down.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "client/interface_program.h"
#include "interface/walk.h"
#include "interface/written_value.h"

namespace tacit {

struct PlannedStep {
  std::size_t call = 0; // of the interface; of the constructor in `PlannedTest::start`
  std::vector<WrittenValue> arguments; // per parameter of the procedure
  /// Outcomes of the component that the word goes on with; empty: whatever it is, or refused.
  std::vector<std::string> wanted;
  /// Those that may happen besides, because the environment decides: the word ends there.
  std::vector<std::string> possible;
  bool may_err = false; // at sites that were set aside
  State from = 0;
};

struct PlannedTest {
  enum class Kind { Start, Transition, Boundary, Refusal };
  Kind kind = Kind::Transition;
  std::string title; // for people: `state 1: pay(0) is refused`
  PlannedStep start;
  std::vector<PlannedStep> steps;
  bool refused = false; // the last step, or the constructor where there is none
};

/// Something that tests should show.
struct TestGoal {
  enum class Kind { Start, Transition, Refusal };
  Kind kind = Kind::Transition;
  std::string what;                 // for people
  std::vector<std::size_t> covered; // by these tests
  std::string missing;              // why there is none
};

struct TestPlan {
  std::vector<PlannedTest> tests;
  std::vector<TestGoal> goals;
};

/// What a language can say.
struct TestLanguage {
  /// Why no test can call it (a call, or a constructor); empty: it can.
  std::function<std::string(const std::string& name, bool constructor)> cannot_call;
  std::function<bool(const std::string& name, bool constructor, std::size_t parameter,
                     const WrittenValue& value)>
      can_write;
};

struct TestLimits {
  std::size_t places = 300, tried = 60'000; // of the search
  std::size_t boundaries = 8;               // of one call in one state, allowed and refused each
  std::size_t tests = 1'000;
};

TestPlan plan_tests(const InterfaceProgram& program, const Walk& walk, const TestLanguage& language,
                    const TestLimits& limits = {});

/// Takes tests out of a plan, with the reason, and what only they covered.
void drop_tests(TestPlan& plan, const std::vector<std::pair<std::size_t, std::string>>& dropped);

/// What is covered and what is not, for people.
std::string print_coverage(const TestPlan& plan);

/// Which exceptions are errors by the result's specifications, by name; `*` for all.
std::vector<std::string> error_exceptions(const InterfaceProgram& program);

/// Conditions on a result of this call under which it is an error.
std::vector<Term> error_results(const InterfaceProgram& program, const ProgramCall& call);

/// The call with its arguments, as people write it.
std::string shown_step(const Interface& interface, const PlannedStep& step, bool constructor);

} // namespace tacit
