// A component written by hand, with all that its abstractions need.
#pragma once

#include <gtest/gtest.h>

#include "abstraction/maymust/may_must.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "logic/z3/z3_solver.h"
#include "program/ir/scope.h"
#include "program/text/read.h"

namespace tacit::test {

class Subject {
public:
  explicit Subject(std::string_view text, const ComponentOptions& options = {})
      : component(built(text, options)), solver(make_z3_solver()), eliminator(component.arena()),
        formulas(ComponentFormulas::create(component, *solver, eliminator).value()),
        goals(*formulas, *solver) {
    for (const StateVariable& v : component.module().state) state.push_back(v.term);
  }

  TermArena& arena() const { return component.arena(); }
  Term term(std::string_view text) const {
    const ModuleScope scope(component.module());
    return parse_expression(text, "test", arena(), scope, arena().bool_sort()).value();
  }
  std::vector<Term> terms(const std::vector<std::string>& texts) const {
    std::vector<Term> made;
    for (const std::string& text : texts) made.push_back(term(text));
    return made;
  }
  std::size_t call(std::string_view name) const { return component.find_call(name).value(); }
  /// `call` or `call:outcome`.
  Letter letter(std::string_view name) const {
    for (Letter l = 0; l < component.letters(); ++l)
      if (component.letter_name(l) == name ||
          component.calls()[component.letter(l).call].name == name)
        return l;
    ADD_FAILURE() << "no letter " << name;
    return 0;
  }
  std::vector<std::size_t> word(const std::vector<std::string>& names) const {
    std::vector<std::size_t> made;
    for (const std::string& name : names) made.push_back(letter(name));
    return made;
  }
  /// Equal wherever the ranges of the state hold.
  bool same(Term a, Term b) const {
    return solver->check({formulas->facts(), arena().negate(arena().eq(a, b))}) == Truth::Unsat;
  }

  const Component component;
  std::unique_ptr<Solver> solver;
  Eliminator eliminator;
  std::unique_ptr<ComponentFormulas> formulas;
  ErrorGoals goals;
  std::vector<Term> state;

private:
  static Component built(std::string_view text, const ComponentOptions& options) {
    const auto module = read_module(text, "test.tir");
    if (!module) throw std::runtime_error(module.error().message);
    return build_component(*module, options).value();
  }
};

/// A counter that errs below zero; `grab` may fail, as the environment likes.
inline constexpr const char* counter = R"(component Counter
state n : int [0..] = 0
extern busy() : bool;
method up() { n := n + 1; return; }
method down() { if (n == 0) error empty; n := n - 1; return; }
method grab() : bool {
  var no : bool;
  no := call busy();
  if (no) return false;
  n := n + 1;
  return true;
}
)";

/// What the constructor leaves behind is hidden.
inline constexpr const char* hidden = R"(component Hidden
state m : int = 0
constructor Hidden() { havoc unknown m; return; }
method mark() { m := 5; return; }
method clear() { m := -1; return; }
method reset() { if (m < 0) error negative; return; }
)";

} // namespace tacit::test
