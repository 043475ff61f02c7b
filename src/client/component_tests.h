// Tests of a component from its result: reads the component's sources again, for the types that
// tests have to write, and has the tests written in its language.
#pragma once

#include <string>
#include <vector>

#include "client/cpp_tests.h"

namespace tacit {

struct TestsRequest {
  std::vector<std::string> sources; // empty: those that the result names
  std::vector<std::string> flags;   // for the compiler of C and C++
  std::string database;
  std::string class_name, handle; // where the component's name does not tell
  std::string folder;             // of the file that is written; empty: not known
};

Result<WrittenTests> write_component_tests(const Interface& interface, const TestsRequest& request);

} // namespace tacit
