// Results carry their component: it can be rebuilt from the text and the options alone.
#include <gtest/gtest.h>

#include "interface/json.h"
#include "unit/interface/examples.h"

namespace tacit {
namespace {

constexpr const char* text = R"(component Lock
state held : bool = false
method lock(now : bool) : bool { if (held) error busy; if (!now) return false; held := true; return true; }
method unlock() { if (!held) error free; held := false; return; }
)";

TEST(ComponentOf, RebuildsFromTheFile) {
  Interface lock = test::lock();
  lock.tir = text;
  lock.options = {};
  lock.options.methods = {"unlock"};
  const auto read = read_interface(to_json(lock), "lock.json");
  ASSERT_TRUE(read.has_value());
  const auto component = component_of(*read);
  ASSERT_TRUE(component.has_value()) << to_string(component.error());
  EXPECT_EQ(component->name(), "Lock");
  ASSERT_EQ(component->calls().size(), 1u);
  EXPECT_EQ(component->calls()[0].name, "unlock");
}

TEST(ComponentOf, SaysWhereTheTextIsWrong) {
  Interface lock = test::lock();
  lock.tir = "component Lock\nstate held : bol\n";
  const auto component = component_of(lock);
  ASSERT_FALSE(component.has_value());
  EXPECT_EQ(component.error().where.file, "lock.tir");
  EXPECT_EQ(component.error().where.line, 2);
  lock.tir = "";
  EXPECT_EQ(component_of(lock).error().message,
            "the result does not carry the text of component 'Lock'");
}

} // namespace
} // namespace tacit
