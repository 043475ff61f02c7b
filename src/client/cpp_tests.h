// A plan of tests (test_plan.h) as GoogleTest, for components in C and C++.
//
// The types of parameters come from the component's sources, which are read again. Every test is
// compiled in memory before it is handed out; what Clang does not accept (a class that cannot be
// made, a name that is private) is left out of the text and told with Clang's words.
#pragma once

#include <string>
#include <vector>

#include "client/test_plan.h"
#include "frontend/llvm/lower.h"

namespace tacit {

struct CppTestsRequest {
  LlvmOptions sources; // files, flags, class or handle
  std::string folder;  // of the file that is written: includes are relative to it; empty: absolute
};

struct WrittenTests {
  std::string text;
  std::string file; // a name for it: `TicketProtocolTest.java`
  TestPlan plan;
};

Result<WrittenTests> write_cpp_tests(const InterfaceProgram& program,
                                     const CppTestsRequest& request);

} // namespace tacit
