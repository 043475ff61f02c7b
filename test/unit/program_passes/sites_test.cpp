// An exception that is caught and thrown on keeps the site at which it was made.
#include "program/observe/sites.h"

#include <gtest/gtest.h>

#include "program/observe/instrument.h"
#include "program/reduce/inline.h"
#include "runs.h"

namespace tacit {
namespace {

constexpr const char* program = R"(
component C
exception E
exception F
state x : int = 0
procedure deep() { throw E @a.cpp:3; }
procedure deeper() { throw F @a.cpp:4; }
procedure middle() {
  var e : exception;
  call deep() catch * e goto L @a.cpp:7;
  return;
L:
  throw e @a.cpp:8;
}
method once() {
  var e : exception;
  call deep() catch E e goto L;
  return;
L:
  x := 1;
  throw e @a.cpp:12;
}
method twice() {
  var e : exception;
  call middle() catch * e goto L;
  return;
L:
  throw e @a.cpp:18;
}
method either() {
  var e : exception;
  if (x == 0) { call deep() catch * e goto L; } else { call deeper() catch * e goto L; }
  return;
L:
  throw e @a.cpp:24;
}
method given(e : exception) { throw e @a.cpp:27; }
)";

/// The sites of a method's throws, or errors.
std::vector<std::string> sites(const Module& module, std::string_view method, TerminatorKind kind) {
  std::vector<std::string> found;
  for (const Block& block : module.find_procedure(method)->blocks)
    if (block.end.kind == kind) found.push_back(to_string(block.end.site()));
  return found;
}

TEST(Sites, AreThoseOfTheFirstThrow) {
  using Found = std::vector<std::string>;
  Module module = module_from(program);
  inline_calls(module);
  const auto thrown = [&](std::string_view method) {
    return sites(module, method, TerminatorKind::Throw);
  };
  EXPECT_EQ(thrown("once"), (Found{"a.cpp:3"}));
  EXPECT_EQ(thrown("twice"), (Found{"a.cpp:3"}));
  EXPECT_EQ(thrown("either"), (Found{"a.cpp:3", "a.cpp:4"})); // each goes its own way
  EXPECT_EQ(thrown("given"), (Found{"a.cpp:27"}));
  EXPECT_EQ(problems(module), "");
  auto spec = parse_error_spec("throws:E");
  ASSERT_TRUE(spec);
  ASSERT_TRUE(instrument_errors(module, {*spec}, {}));
  EXPECT_EQ(sites(module, "twice", TerminatorKind::Error), (Found{"a.cpp:3"}));
}

} // namespace
} // namespace tacit
