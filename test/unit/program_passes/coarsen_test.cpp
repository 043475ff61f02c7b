// Coarsening keeps what decides about errors and hides the rest behind unknown choices.
#include "program/reduce/coarsen.h"

#include <gtest/gtest.h>

#include "program/ir/verify.h"
#include "program/observe/split.h"
#include "program/text/print.h"
#include "program/text/read.h"

namespace tacit {
namespace {

Module coarsened(const char* text, Detail detail) {
  auto module = read_module(text, "test.tir");
  EXPECT_TRUE(module) << to_string(module.error());
  for (Procedure& p : module->procedures) split_outcomes(*module, p, {});
  coarsen(*module, detail);
  EXPECT_TRUE(verify(*module).empty()) << print_module(*module);
  return std::move(*module);
}

constexpr const char* stream = R"(component Stream
exception Full
state closed : bool = false
state used : int = 0
state size : int = 0
method write(n : int) {
  if (closed) error Closed;
  if (used + n > size) throw Full;
  used := used + n;
  return;
}
method close() { closed := true; used := 0; return; }
)";

TEST(Coarsen, HidesWhatNoErrorDependsOn) {
  const Module module = coarsened(stream, Detail::Flags);
  ASSERT_EQ(module.state.size(), 1u);
  EXPECT_EQ(module.state[0].name(), "closed");
  // Both outcomes are still there, chosen by nobody.
  EXPECT_NE(print_module(module).find("havoc unknown"), std::string::npos);
  EXPECT_NE(print_module(module).find("throw Full"), std::string::npos);
}

TEST(Coarsen, AllKeepsEverything) { EXPECT_EQ(coarsened(stream, Detail::All).state.size(), 3u); }

constexpr const char* cursor = R"(component Cursor
state last : int = -1
state cursor : int = 0
state size : int = 0
method next() { if (cursor >= size) { return; } last := cursor; cursor := cursor + 1; return; }
method remove() { if (last < 0) error IllegalState; last := -1; return; }
)";

TEST(Coarsen, DetailDecidesWhatFlowsInto) {
  EXPECT_EQ(coarsened(cursor, Detail::Flags).state.size(), 1u);  // last
  EXPECT_EQ(coarsened(cursor, Detail::Guards).state.size(), 2u); // and cursor
  EXPECT_EQ(coarsened(cursor, Detail::Slice).state.size(), 3u);  // and size
}

TEST(Coarsen, ALoopThatIsHiddenMayNotEnd) {
  const Module module = coarsened(R"(component C
state bad : bool = false
state n : int = 0
method f() { if (bad) error Bad; while (n > 0) { n := n - 1; } return; }
)",
                                  Detail::Guards);
  const std::string text = print_module(module);
  EXPECT_EQ(text.find("goto"), std::string::npos) << text;
  EXPECT_NE(text.find("assume"), std::string::npos) << text;
}

} // namespace
} // namespace tacit
