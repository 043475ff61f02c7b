// Random finite bodies: the formulas against the interpreter, and against enumeration of all
// choices.
#include <functional>
#include <random>

#include "check/prover.h"
#include "check/readings.h"
#include "program/ir/interpreter.h"
#include "subjects.h"

namespace tacit {
namespace {

/// Writes a component with one method whose body is random. Few inputs, so that all of them can be
/// tried.
class BodyWriter {
public:
  explicit BodyWriter(unsigned seed) : random_(seed) {}

  std::string component() {
    const std::string body = block(3, false);
    return "component Random\nenum Mode { A, B = 5, C = 3 }\n"
           "state b : bool\nstate n : int [0..2]\nstate m : Mode\nstate t : map [bool] int [0..1] "
           "= all(0)\n"
           "method f(p : bool, q : int [0..1]) : int {\n  var x : int [-1..3];\n  var y : bool;\n" +
           body + "  return 0;\n}\n";
  }

private:
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  std::string any(std::initializer_list<const char*> options) {
    return options.begin()[pick(static_cast<int>(options.size()))];
  }

  std::string number() {
    return any({"n", "x", "q", "n + 1", "x - 1", "q + n", "int(m)", "x / 2", "(x - 2) % 2", "t[b]",
                "t[p] + x", "2", "0"});
  }
  std::string condition() {
    switch (pick(6)) {
    case 0: return any({"b", "p", "y", "!b", "!p"});
    case 1: return number() + any({" < ", " <= ", " == ", " != "}) + number();
    case 2: return "m" + any({" == ", " != ", " < ", " <= "}) + any({"A", "B", "C"});
    case 3: return "(" + condition() + any({" && ", " || "}) + condition() + ")";
    default: return any({"b", "p", "n == 1", "m == A", "x > 0", "q == 0"});
    }
  }

  std::string block(int depth, bool in_loop) {
    std::string text;
    for (int i = 1 + pick(3); i > 0; --i) text += statement(depth, in_loop);
    return text;
  }

  std::string statement(int depth, bool in_loop) {
    const int kind = pick(depth > 0 ? 14 : 8);
    switch (kind) {
    case 0: return "b := " + condition() + ";\n";
    case 1: return "n := " + number() + ";\n";
    case 2: return "m := " + any({"A", "B", "C", "p ? A : m"}) + ";\n";
    case 3: return in_loop ? "y := b;\n" : "x := " + number() + ";\n";
    case 4: return "t[" + any({"b", "p", "true"}) + "] := " + number() + ";\n";
    case 5:
      if (in_loop || inputs_ >= 2) return "y := " + condition() + ";\n";
      ++inputs_;
      return any(
          {"havoc x;\n", "havoc unknown y;\n", "havoc y;\n", "havoc unknown n;\n", "havoc b;\n"});
    case 6: return "if (" + condition() + ") error " + any({"E", "F"}) + ";\n";
    case 7:
      return pick(2) == 0 ? "assume " + condition() + ";\n"
                          : "if (" + condition() + ") return " + any({"1", "0"}) + ";\n";
    case 8:
    case 9:
    case 10:
      return "if (" + condition() + ") {\n" + block(depth - 1, in_loop) + "} else {\n" +
             block(depth - 1, in_loop) + "}\n";
    case 11:
      if (in_loop) return "";
      return "while (x < " + any({"1", "2", "3"}) + " && " + condition() + ") {\nx := x + 1;\n" +
             block(depth - 1, true) + "}\n";
    default: return "if (" + condition() + ") {\n" + block(depth - 1, in_loop) + "}\n";
    }
  }

  std::mt19937 random_;
  int inputs_ = 0;
};

/// What a run did: "error E", "outcome 1 b=true, …".
using Results = std::set<std::string>;

struct Subject {
  Component component;
  Erasure erasure{component.arena()};
  std::map<std::string, std::size_t> unwind;
  std::vector<ConcreteState> states;

  Subject(const std::string& text, const ComponentOptions& options)
      : component(component_from(text, options)) {
    for (std::size_t block = 0; block < 100; ++block) unwind[fmt::format("f/{}", block)] = 4;
    const auto& variables = component.module().state;
    std::function<void(ConcreteState)> extend = [&](ConcreteState state) {
      if (state.values.size() == variables.size()) {
        states.push_back(state);
        return;
      }
      const Type& type = variables[state.values.size()].type;
      for (std::uint64_t i = 0; i < *domain_size(type); ++i) {
        ConcreteState next = state;
        next.values.push_back(domain_value(type, i));
        extend(next);
      }
    };
    extend({});
  }

  const Call& call() const { return component.calls()[0]; }

  Results interpreted(const ConcreteState& state) const {
    Results results;
    const Interpreter interpreter(component.module());
    std::function<void(std::vector<Value>)> run = [&](std::vector<Value> inputs) {
      const ProcedureRun done = interpreter.run(component.body(call()), state, inputs);
      if (done.how == RunEnd::NeedsInput) {
        for (std::uint64_t i = 0; i < *domain_size(done.needs->type); ++i) {
          auto more = inputs;
          more.push_back(domain_value(done.needs->type, i));
          run(std::move(more));
        }
      } else if (done.how == RunEnd::Erred) {
        results.insert("error " + done.end->name);
      } else if (done.how == RunEnd::Returned || done.how == RunEnd::Threw) {
        results.insert(fmt::format("outcome {} {}", done.end->outcome,
                                   to_string(component.module(), done.after)));
      } else if (done.how == RunEnd::GaveUp) {
        results.insert("gave up");
      }
    };
    run({});
    return results;
  }
};

/// All valuations of some choices, applied to a base substitution.
void each_choice(Subject& subject, const std::vector<Choice>& choices, std::size_t at,
                 Substitution& by, const std::function<void()>& visit) {
  if (at == choices.size()) return visit();
  const Choice& choice = choices[at];
  for (std::uint64_t i = 0; i < *domain_size(choice.type); ++i) {
    by[choice.term] =
        to_term(subject.component.arena(), domain_value(choice.type, i), choice.term->sort);
    each_choice(subject, choices, at + 1, by, visit);
  }
  by.erase(choice.term);
}

Substitution values_of(Subject& subject, const std::vector<Term>& variables,
                       const ConcreteState& state) {
  Substitution by;
  for (std::size_t i = 0; i < variables.size(); ++i)
    by[variables[i]] = to_term(subject.component.arena(), state.values[i], variables[i]->sort);
  return by;
}

Value number(Subject& subject, Term term, const Substitution& by) {
  const auto value = evaluate(substitute(subject.component.arena(), term, by),
                              [](Term variable) { return default_value(variable->sort); });
  return *value;
}

std::vector<Choice> chosen_by(const BodyEncoding& encoding, Chooser chooser) {
  std::vector<Choice> found;
  for (const Choice& choice : encoding.choices)
    if (choice.chooser == chooser) found.push_back(choice);
  return found;
}

const unsigned seeds = std::getenv("TACIT_FULL") != nullptr ? 400 : 30;

TEST(RandomBodies, FormulasAgreeWithTheInterpreter) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const std::string text = BodyWriter(seed).component();
    Subject subject(text, {});
    const Encoder::Invariants none;
    Encoder encoder(subject.component, subject.erasure, subject.unwind, none);
    const auto encoding = encoder.encode(subject.call(), EncodingSide::Upper);
    ASSERT_TRUE(encoding) << to_string(encoding.error()) << text;
    std::uint64_t product = 1;
    for (const Choice& choice : encoding->choices) product *= *domain_size(choice.type);
    if (product > 200) continue;
    for (const ConcreteState& state : subject.states) {
      Results results;
      Substitution by = values_of(subject, encoder.state(), state);
      each_choice(subject, encoding->choices, 0, by, [&] {
        for (const Exit& exit : encoding->exits) {
          if (!number(subject, exit.condition, by).truth()) continue;
          if (exit.kind == Exit::Kind::Beyond) results.insert("beyond");
          if (exit.kind == Exit::Kind::Error) results.insert("error " + exit.error);
          if (exit.kind != Exit::Kind::Outcome) continue;
          ConcreteState after;
          for (Term value : exit.after) after.values.push_back(number(subject, value, by));
          results.insert(fmt::format("outcome {} {}", exit.outcome,
                                     to_string(subject.component.module(), after)));
        }
      });
      ASSERT_EQ(results, subject.interpreted(state))
          << "seed " << seed << " from " << to_string(subject.component.module(), state) << "\n"
          << text;
    }
  }
}

/// Without bounds, the upper side has at least the runs there are, and the lower side at most
/// these.
TEST(RandomBodies, SidesOfLoopsWithoutBounds) {
  std::size_t loops = 0;
  for (unsigned seed = 1; seed <= 8 * seeds; ++seed) {
    const std::string text = BodyWriter(seed).component();
    if (!text.contains("while")) continue;
    Subject subject(text, {});
    subject.unwind.clear();
    const Encoder::Invariants none;
    Encoder encoder(subject.component, subject.erasure, subject.unwind, none);
    const auto upper = encoder.encode(subject.call(), EncodingSide::Upper);
    const auto lower = encoder.encode(subject.call(), EncodingSide::Lower);
    ASSERT_TRUE(upper && lower);
    if (upper->unbounded.empty()) continue;
    ++loops;
    TermArena& arena = subject.component.arena();
    SecondSolver solver;
    Prover prover(subject.erasure, solver, nullptr);
    for (const auto* encoding : {&*upper, &*lower})
      for (const Choice& choice : encoding->choices) prover.declare(choice.term, choice.type);
    for (std::size_t i = 0; i < encoder.state().size(); ++i)
      prover.declare(encoder.state()[i], subject.component.module().state[i].type);
    const CallRuns runs(subject.component, subject.erasure, *upper, *lower, {});
    std::mt19937 random(seed);
    const ConcreteState& state = subject.states[random() % subject.states.size()];
    const Substitution values = values_of(subject, encoder.state(), state);
    const Results results = subject.interpreted(state);
    const auto here = [&](const Formula& formula) {
      const auto decision = prover.satisfiable(substitute(arena, formula, values));
      EXPECT_NE(decision.answer, SecondSolver::Answer::Unknown) << decision.reason;
      return decision.answer == SecondSolver::Answer::Sat;
    };
    const bool errs =
        std::ranges::any_of(results, [](const std::string& r) { return r.starts_with("error"); });
    EXPECT_TRUE(!errs || here(runs.may_err())) << "seed " << seed << text;
    for (const ConcreteState& after : subject.states) {
      std::vector<Term> same;
      for (std::size_t i = 0; i < encoder.state().size(); ++i) {
        const StateVariable& variable = subject.component.module().state[i];
        same.push_back(subject.erasure.term(
            arena.eq(variable.term, to_term(arena, after.values[i], variable.type.sort))));
      }
      for (std::size_t outcome = 0; outcome < subject.call().outcomes.size(); ++outcome) {
        const bool there = results.contains(
            fmt::format("outcome {} {}", outcome, to_string(subject.component.module(), after)));
        if (there)
          EXPECT_TRUE(here(runs.any_run(runs.ends(outcome, arena.conj(same)))))
              << "seed " << seed << text;
        else
          EXPECT_FALSE(here(runs.must_run(runs.surely_ends(outcome, arena.conj(same)))))
              << "seed " << seed << text;
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(loops, 5u);
}

/// The definitions of docs/semantics.md, 2.3 and 2.4, by enumeration. `hidden`: whether some or all
/// values of hidden choices count.
class Definitions {
public:
  Definitions(Subject& subject, const BodyEncoding& encoding, Substitution state)
      : subject_(subject), encoding_(encoding), by_(std::move(state)) {}

  bool some(Chooser chooser, const std::function<bool()>& test) {
    bool found = false;
    each_choice(subject_, chosen_by(encoding_, chooser), 0, by_, [&] { found = found || test(); });
    return found;
  }
  bool every(Chooser chooser, const std::function<bool()>& test) {
    return !some(chooser, [&] { return !test(); });
  }
  bool holds(Term term) { return number(subject_, term, by_).truth(); }
  bool may(Term run) {
    return some(Chooser::Environment,
                [&] { return some(Chooser::Unknown, [&] { return holds(run); }); });
  }
  bool must(Term run) {
    return some(Chooser::Environment,
                [&] { return every(Chooser::Unknown, [&] { return holds(run); }); });
  }

private:
  Subject& subject_;
  const BodyEncoding& encoding_;
  Substitution by_;
};

TEST(RandomBodies, ReadingsAgreeWithTheirDefinitions) {
  std::size_t compared = 0, angelic_differs = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const std::string text = BodyWriter(seed).component();
    ComponentOptions options;
    options.arguments = seed % 2 == 0 ? Arguments::Angelic : Arguments::Demonic;
    const auto outcomes = component_from(text).calls()[0].outcomes;
    if (std::ranges::find(outcomes, "returns=1") != outcomes.end()) options.rejects = {"returns=1"};
    Subject subject(text, options);
    SecondSolver solver;
    Prover prover(subject.erasure, solver, nullptr);
    const Encoder::Invariants none;
    Encoder encoder(subject.component, subject.erasure, subject.unwind, none);
    const auto encoding = encoder.encode(subject.call(), EncodingSide::Upper);
    ASSERT_TRUE(encoding) << to_string(encoding.error());
    std::uint64_t product = 1;
    for (const Choice& choice : encoding->choices) {
      product *= *domain_size(choice.type);
      prover.declare(choice.term, choice.type);
    }
    if (product > 100) continue;
    for (std::size_t i = 0; i < encoder.state().size(); ++i)
      prover.declare(encoder.state()[i], subject.component.module().state[i].type);
    const auto lower = encoder.encode(subject.call(), EncodingSide::Lower);
    for (const Choice& choice : lower->choices) prover.declare(choice.term, choice.type);
    const CallRuns runs(subject.component, subject.erasure, *encoding, *lower, {});
    TermArena& arena = subject.component.arena();
    std::vector<Term> served;
    for (const Exit& exit : encoding->exits)
      if (exit.kind == Exit::Kind::Outcome && !exit.rejecting) served.push_back(exit.condition);
    const Term serves = arena.disj(served), ends = runs.ends(0);
    const bool angelic = options.arguments == Arguments::Angelic;

    std::mt19937 random(seed);
    for (int round = 0; round < 6; ++round) {
      const ConcreteState& state = subject.states[random() % subject.states.size()];
      const Substitution values = values_of(subject, encoder.state(), state);
      Definitions is(subject, *encoding, values);
      const auto client = [&](const std::function<bool()>& test) {
        return is.some(Chooser::Client, test);
      };
      const auto maybe_good = [&] { return !is.must(runs.errors()) && is.may(serves); };
      const auto surely_good = [&] { return !is.may(runs.errors()) && is.must(serves); };
      bool may_err = client([&] { return is.may(runs.errors()); }),
           must_err = client([&] { return is.must(runs.errors()); });
      bool may_run = client([&] { return is.may(ends); }),
           must_run = client([&] { return is.must(ends); });
      if (angelic) {
        angelic_differs += may_err && client(surely_good);
        may_err = may_err && !client(surely_good);
        must_err = must_err && !client(maybe_good);
        may_run = client([&] { return is.may(ends) && maybe_good(); });
        must_run = client([&] { return is.must(ends) && surely_good(); });
      }
      const auto agrees = [&](const Formula& formula, bool expected, const char* what) {
        for (bool negated : {false, true}) {
          const Formula asked = negated ? negation(arena, formula) : formula;
          // Once with the values put in, once with equations that the solver has to use.
          std::vector<Term> equations;
          for (const auto& [variable, value] : values)
            if (is_constant(value))
              equations.push_back(
                  arena.le(variable->sort == arena.bool_sort()
                               ? arena.ite(variable, arena.integer(1), arena.integer(0))
                               : variable,
                           arena.integer(value->number)));
          for (const auto& [variable, value] : values)
            if (is_constant(value))
              equations.push_back(
                  arena.ge(variable->sort == arena.bool_sort()
                               ? arena.ite(variable, arena.integer(1), arena.integer(0))
                               : variable,
                           arena.integer(value->number)));
          for (const auto& [variable, value] : values)
            if (!is_constant(value))
              for (bool key : {false, true})
                equations.push_back(arena.eq(arena.select(variable, arena.boolean(key)),
                                             arena.select(value, arena.boolean(key))));
          const Formula posed = all_of(arena, {arena.conj(equations), asked});
          const auto decision = prover.satisfiable(posed);
          EXPECT_EQ(decision.answer == SecondSolver::Answer::Sat, expected != negated)
              << what << (negated ? " negated" : "") << " seed " << seed << " from "
              << to_string(subject.component.module(), state) << "\n"
              << text << decision.reason;
          ++compared;
        }
      };
      agrees(runs.may_err(), may_err, "may_err");
      agrees(runs.must_err(), must_err, "must_err");
      agrees(runs.may_run(ends), may_run, "may_run");
      agrees(runs.must_run(runs.surely_ends(0)), must_run, "must_run");
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(compared, 300u);
  EXPECT_GT(angelic_differs, 0u);
}

} // namespace
} // namespace tacit
