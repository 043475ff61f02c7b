// Concrete runs and states in the words of a result file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "component/run.h"
#include "interface/interface.h"

namespace tacit {

class RunWriter {
public:
  explicit RunWriter(const Component& component) : component_(component) {}

  Example write(const ConcreteRun& run) const;
  std::map<std::string, std::string> state(const ConcreteState& state) const;
  /// The sorts of choices inside a body are found by running it up to each of them.
  std::vector<std::string> inputs(const Call& call, const ConcreteState& before,
                                  const std::vector<Value>& values) const;

private:
  const Component& component_;
};

} // namespace tacit
