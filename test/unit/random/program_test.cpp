// Properties of the program layer on random modules: the text form reads back, and the bodies that
// a component is built from (externs expanded, calls inlined, outcomes split) do what the original
// procedures do.
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "program/ir/interpreter.h"
#include "program/text/externs.h"
#include "program/text/print.h"
#include "program/text/read.h"
#include "support/random_component.h"
#include "support/volume.h"

namespace tacit {
namespace {

std::uint64_t seeds() { return full_volume() ? 2000 : 150; }

TEST(RandomModules, ReadBackAsPrinted) {
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    const RandomComponent random = random_component(seed);
    const auto module = read_module(random.tir(), "random.tir");
    ASSERT_TRUE(module) << "seed " << seed << ": " << to_string(module.error()) << "\n"
                        << random.tir();
    const std::string printed = print_module(*module);
    const auto again = read_module(printed, "random.tir");
    ASSERT_TRUE(again) << "seed " << seed << ": " << to_string(again.error()) << "\n" << printed;
    ASSERT_EQ(print_module(*again), printed) << "seed " << seed;
  }
}

/// Calls `visit` with every complete list of inputs; gives up beyond `limit` lists.
void for_each_inputs(
    const Interpreter& interpreter, const Procedure& body, const ConcreteState& before,
    std::vector<Value>& inputs, std::size_t& limit,
    const std::function<void(const std::vector<Value>&, const ProcedureRun&)>& visit) {
  if (limit == 0) return;
  const ProcedureRun run = interpreter.run(body, before, inputs);
  if (run.how != RunEnd::NeedsInput) {
    --limit;
    return visit(inputs, run);
  }
  for (std::uint64_t i = 0; i < domain_size(run.needs->type).value(); ++i) {
    inputs.push_back(domain_value(run.needs->type, i));
    for_each_inputs(interpreter, body, before, inputs, limit, visit);
    inputs.pop_back();
  }
}

/// Some states of the module: initial values, and what its methods make of them.
std::vector<ConcreteState> some_states(const Interpreter& interpreter) {
  std::vector<Value> inputs;
  for (const StateVariable* v : interpreter.uninitialised())
    inputs.push_back(domain_value(v->type, 0));
  std::vector<ConcreteState> states{interpreter.initial(inputs).value()};
  for (std::size_t i = 0; i < states.size() && states.size() < 12; ++i)
    for (const Procedure& p : interpreter.module().procedures) {
      if (p.kind != ProcedureKind::Method) continue;
      std::size_t limit = 6;
      std::vector<Value> none;
      const ConcreteState before = states[i];
      for_each_inputs(interpreter, p, before, none, limit,
                      [&](const auto&, const ProcedureRun& run) {
                        const bool ended = run.how == RunEnd::Returned || run.how == RunEnd::Threw;
                        if (ended && std::ranges::find(states, run.after) == states.end())
                          states.push_back(run.after);
                      });
    }
  return states;
}

/// The outcome that the text of formats.md promises for a run, among those the call has.
std::string expected_outcome(const Module& module, const Procedure& p, const Call& call,
                             const ProcedureRun& run) {
  if (call.outcomes == std::vector<std::string>{"any"}) return "any";
  if (run.how == RunEnd::Threw)
    return "throws=" + module.exceptions[static_cast<std::size_t>(run.value.number)].name;
  if (!p.returns) return "returns";
  const std::string exact = "returns=" + to_string(run.value, p.returns->sort);
  if (p.returns->sort->kind != SortKind::Int || std::ranges::count(call.outcomes, exact) > 0)
    return exact;
  return std::ranges::count(call.outcomes, "returns=other") > 0 ? "returns=other" : "returns";
}

TEST(RandomModules, BuiltBodiesDoWhatTheProceduresDo) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    RandomComponent random = random_component(seed);
    random.options.errors.clear();
    auto original = read_module(random.tir(), "random.tir");
    ASSERT_TRUE(original);
    const auto component = build_component(*original, random.options);
    ASSERT_TRUE(component) << to_string(component.error());
    expand_externs(*original);
    const Interpreter plain(*original), built(component->module());
    const std::size_t clients = static_cast<std::size_t>(
        std::ranges::count_if(original->state, [](const StateVariable& v) { return v.client; }));
    const auto states = some_states(plain);
    std::vector<Call> calls = component->calls();
    calls.insert(calls.end(), component->constructors().begin(), component->constructors().end());
    for (const Call& call : calls) {
      const Procedure* p = original->find_procedure(call.name);
      if (p == nullptr) continue; // the constructor that was added
      for (const ConcreteState& before : states) {
        std::size_t limit = 40;
        std::vector<Value> inputs;
        for_each_inputs(built, component->body(call), before, inputs, limit,
                        [&](const auto& given, const auto& run) {
                          // Client-owned state is an input of the built body and part of the state
                          // before for the original.
                          ConcreteState from = before;
                          std::vector<Value> rest(given.begin(), given.end());
                          const auto at = rest.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                             p->parameters.size(), rest.size()));
                          auto next = at;
                          for (std::size_t i = 0; i < from.values.size() && next != rest.end(); ++i)
                            if (original->state[i].client) from.values[i] = *next++;
                          if (static_cast<std::size_t>(next - at) < clients)
                            return; // stopped before it was read
                          rest.erase(at, next);
                          const ProcedureRun expected = plain.run(*p, from, rest);
                          ++compared;
                          const std::string what =
                              fmt::format("seed {}, {} from {}\n{}", seed, call.name,
                                          to_string(*original, from), random.tir());
                          ASSERT_EQ(expected.how, run.how) << what;
                          if (run.how == RunEnd::Blocked) return;
                          ASSERT_EQ(expected.used, rest.size()) << what;
                          if (run.how == RunEnd::Erred) {
                            ASSERT_EQ(expected.end->name, run.end->name) << what;
                            ASSERT_EQ(expected.end->where, run.end->where) << what;
                            return;
                          }
                          ASSERT_EQ(expected.after, run.after) << what;
                          ASSERT_GE(run.end->outcome, 0) << what;
                          ASSERT_EQ(call.outcomes[static_cast<std::size_t>(run.end->outcome)],
                                    expected_outcome(*original, *p, call, expected))
                              << what;
                        });
        if (HasFatalFailure()) return;
      }
    }
  }
  fmt::print("{} runs compared\n", compared);
  EXPECT_GT(compared, 10 * seeds());
}

} // namespace
} // namespace tacit
