// Helpers for tests of program passes: modules from text, and all runs of a procedure by brute
// force.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "program/ir/interpreter.h"
#include "program/ir/module.h"
#include "program/ir/verify.h"
#include "program/text/externs.h"
#include "program/text/read.h"

namespace tacit {

inline Module module_from(std::string_view text) {
  auto module = read_module(text, "test.tir");
  EXPECT_TRUE(module.has_value()) << to_string(module.error());
  if (!module) return {};
  return std::move(*module);
}

/// What verify.h finds, one message per line.
inline std::string problems(const Module& module) {
  std::string text;
  for (const Diagnostic& problem : verify(module)) text += to_string(problem) + "\n";
  return text;
}

inline const Procedure& procedure(const Module& module, std::string_view name) {
  const Procedure* found = module.find_procedure(name);
  EXPECT_NE(found, nullptr) << name;
  return *found;
}

/// The values to try for an input: the whole type when that is small, else a few.
inline std::vector<Value> values_of(const Type& type) {
  const auto size = domain_size(type);
  if (!size || *size > 16) return {Value(0), Value(1), Value(2)};
  std::vector<Value> values;
  for (std::uint64_t i = 0; i < *size; ++i) values.push_back(domain_value(type, i));
  return values;
}

using RunVisitor = std::function<void(const std::vector<Value>& inputs, const ProcedureRun& run)>;

/// Runs with every sequence of inputs up to a length, at most `limit` of them.
inline void each_run(const Interpreter& interpreter, const Procedure& procedure,
                     const ConcreteState& before, const RunVisitor& visit, std::size_t length = 7,
                     std::size_t limit = 3000) {
  std::vector<std::vector<Value>> work{{}};
  std::size_t count = 0;
  while (!work.empty() && count < limit) {
    const std::vector<Value> inputs = std::move(work.back());
    work.pop_back();
    const ProcedureRun run = interpreter.run(procedure, before, inputs);
    if (run.how != RunEnd::NeedsInput) {
      ++count;
      visit(inputs, run);
      continue;
    }
    if (inputs.size() == length) continue;
    for (const Value& value : values_of(run.needs->type)) {
      work.push_back(inputs);
      work.back().push_back(value);
    }
  }
}

/// "returned 3; x=1, y=2".
inline std::string describe(const Module& module, const Procedure& procedure,
                            const ProcedureRun& run) {
  const std::string after = "; " + to_string(module, run.after);
  switch (run.how) {
  case RunEnd::Returned:
    return "returned" +
           (procedure.returns ? " " + to_string(run.value, procedure.returns->sort) : "") + after;
  case RunEnd::Threw: return "threw " + to_string(run.value, module.exception_sort) + after;
  case RunEnd::Erred: return "error " + run.end->name + after;
  case RunEnd::Blocked: return "blocked";
  case RunEnd::NeedsInput: return "needs " + run.needs->name();
  case RunEnd::GaveUp: return "gave up: " + run.reason;
  }
  return "";
}

/// One run with numbers as inputs, from the module's initial state.
inline std::string run_of(const Module& module, std::string_view name,
                          const std::vector<int>& inputs = {}) {
  const Interpreter interpreter(module);
  const std::vector<Value> values(inputs.begin(), inputs.end());
  const Procedure& called = procedure(module, name);
  return describe(module, called, interpreter.run(called, *interpreter.initial({}), values));
}

} // namespace tacit
