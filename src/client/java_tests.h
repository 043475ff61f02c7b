// A plan of tests (test_plan.h) as plain Java: one class with a main method that `javac` and `java`
// run without anything else. Collaborators are fakes that behave in several ways; a test that needs
// a certain behaviour tries them all.
#pragma once

#include <string>

#include "client/cpp_tests.h"
#include "frontend/java/class_pool.h"

namespace tacit {

/// `class_name` is internal: `com/acme/Ticket`. The class of the tests is in its package.
Result<WrittenTests> write_java_tests(const InterfaceProgram& program, java::ClassPool& pool,
                                      const std::string& class_name);

} // namespace tacit
