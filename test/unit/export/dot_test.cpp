#include "export/dot.h"

#include <sstream>

#include <gtest/gtest.h>

#include "export/written_form.h"
#include "interface/json.h"
#include "unit/interface/examples.h"

namespace tacit {
namespace {

TEST(Dot, DrawsTheLock) {
  EXPECT_EQ(show_dot(test::lock()), R"~(digraph "Lock" {
  rankdir=LR;
  node [shape=box style=rounded fontname="Helvetica"];
  edge [fontname="Helvetica" fontsize=11];
  start0 [shape=point];
  start0 -> s0 [label="Lock"];
  start1 [shape=point];
  start1 -> s1 [label="Lock(bool)"];
  s0 [label="0\n!held"];
  s1 [label="1\nheld"];
  s0 -> s1 [label="lock:returns=true"];
  s0 -> s0 [label="lock:returns=false\nquery"];
  s1 -> s1 [label="query"];
  s1 -> s0 [label="unlock"];
}
)~");
}

TEST(Dot, EscapesAndShortens) {
  Interface lock = test::lock();
  lock.component_name = "a\"b";
  lock.calls[1].name = "say\\n(\"x\")";
  lock.states[0].label = "x\ny";
  const std::string text = show_dot(lock, {.max_label = 40, .max_letters = 1});
  EXPECT_NE(text.find("digraph \"a\\\"b\" {"), std::string::npos);
  EXPECT_NE(text.find("[label=\"say\\\\n(\\\"x\\\")\"]"), std::string::npos) << text;
  EXPECT_NE(text.find("s0 [label=\"0\\nx y\"]"), std::string::npos);
  EXPECT_NE(text.find("[label=\"lock:returns=false\\n… and 1 more\"]"), std::string::npos);
}

TEST(WrittenForms, AreFoundByName) {
  EXPECT_EQ(written_forms().front().name, "text");
  EXPECT_EQ(find_written_form("xml"), nullptr);
  for (const WrittenForm& form : written_forms()) {
    EXPECT_EQ(find_written_form(form.name), &form);
    std::ostringstream out;
    form.write(out, test::lock());
    EXPECT_TRUE(out.str().ends_with("\n")) << form.name;
  }
  std::ostringstream out;
  find_written_form("json")->write(out, test::lock());
  EXPECT_EQ(out.str(), to_json(test::lock()));
}

} // namespace
} // namespace tacit
