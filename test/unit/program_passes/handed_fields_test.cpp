// Fields that clients may have changed hold what the client says of what it hands in.
#include "program/reduce/handed_fields.h"

#include <gtest/gtest.h>

#include "program/text/print.h"
#include "runs.h"

namespace tacit {
namespace {

TEST(HandedFields, ArgumentsSayWhatTheyHold) {
  Module module = module_from(R"(component C
record table { version : int [0..9], size : int [0..9] }
state kept : ref = null
method take(t : ref, other : ref) {
  havoc unknown table.version;
  havoc unknown table.size;
  if (table.version[t] < 3) error Old;
  if (table.size[kept] > 5) error Large;
  kept := other;
  return;
}
)");
  choose_handed_fields(module);
  EXPECT_EQ(problems(module), "") << print_module(module);
  const Procedure& take = procedure(module, "take");
  ASSERT_EQ(take.parameters.size(), 3u) << print_module(module);
  EXPECT_EQ(take.parameters[2].name(), "table.version[t]");
  EXPECT_NE(print_module(module).find("table.version[t] := `table.version[t]`"), std::string::npos)
      << print_module(module);
}

TEST(HandedFields, WhatIsForgottenLaterIsUnknown) {
  Module module = module_from(R"(component C
record table { version : int [0..9] }
method take(t : ref) {
  if (table.version[t] < 3) error Old;
  havoc unknown table.version;
  if (table.version[t] < 3) error Older;
  return;
}
)");
  choose_handed_fields(module);
  EXPECT_EQ(procedure(module, "take").parameters.size(), 1u) << print_module(module);
}

} // namespace
} // namespace tacit
