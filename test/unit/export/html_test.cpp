#include "export/html.h"
#include "export/html_data.h"

#include <sstream>

#include <gtest/gtest.h>

#include "export/markup.h"
#include "export/svg.h"
#include "unit/interface/examples.h"

namespace tacit {
namespace {

std::string page(const Interface& interface, const HtmlOptions& options = {}) {
  std::ostringstream out;
  write_html(out, interface, options);
  return out.str();
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}

TEST(Markup, EscapesAndReplaces) {
  EXPECT_EQ(markup_text("<a b='c'>&\"\x01\n\xef\xbf\xbf"),
            "&lt;a b=&#39;c&#39;&gt;&amp;&quot;\xef\xbf\xbd\n\xef\xbf\xbd");
}

TEST(Html, HasATableAndAPicture) {
  const std::string text = page(test::lock());
  EXPECT_TRUE(text.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(text.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  EXPECT_EQ(text.find("unsafe"), std::string::npos);
  EXPECT_NE(text.find("id=\"s1\""), std::string::npos);
  EXPECT_NE(text.find("<tr id=\"row1\">"), std::string::npos);
  EXPECT_NE(text.find("clock() does not call back"), std::string::npos);
}

TEST(Html, LetsNoNameBecomeMarkup) {
  Interface lock = test::lock();
  const std::string evil = "</script><script>alert(1)</script>";
  lock.component_name = lock.calls[0].name = lock.states[0].label = lock.forbidden[1].error = evil;
  lock.forbidden[1].at = lock.engine = lock.tir = lock.constructors[0] = evil;
  lock.initial[0].constructor = lock.verdict.assumptions[0] = evil;
  lock.transitions[0].before = {{evil, evil}};
  const std::string text = page(lock);
  EXPECT_EQ(count(text, "<script"), 2u);
  EXPECT_EQ(count(text, "</script>"), 2u);
}

TEST(Html, CountsWhatItDoesNotList) {
  const std::string text = page(test::chain(2000), {.sources = {}, .max_states = 100});
  EXPECT_NE(text.find("The first 100 of 2000 states"), std::string::npos);
  EXPECT_EQ(count(text, "<tr id=\"row"), 100u);
  EXPECT_NE(text.find("too many for a picture"), std::string::npos);
}

TEST(Html, ShowsTwoResults) {
  Interface newer = test::lock();
  newer.states[1].allows[0] = true;
  newer.transitions.insert(newer.transitions.begin() + 3,
                           {{1, 0, 0, 1, {}, {}}, {1, 0, 1, 1, {}, {}}});
  newer.forbidden.pop_back();
  const auto report = diff(test::lock(), newer);
  ASSERT_TRUE(report.has_value());
  std::ostringstream out;
  write_html_diff(out, test::lock(), newer, *report, {});
  const std::string text = out.str();
  EXPECT_NE(text.find("is allowed now after"), std::string::npos);
  EXPECT_NE(text.find("id=\"old-s0\""), std::string::npos);
  EXPECT_NE(text.find("id=\"new-s0\""), std::string::npos);
}

TEST(Excerpts, ComeFromTheSourceOrTheProgram) {
  Interface lock = test::lock();
  lock.tir = "component Lock\nmethod unlock() {\n  error assert @lock.tir:12;\n}\n";
  Excerpts without(lock, {});
  auto excerpt = without.find("lock.tir:12");
  ASSERT_TRUE(excerpt.has_value());
  EXPECT_EQ(excerpt->line, 3u);
  EXPECT_EQ(excerpt->note,
            "lock.tir was not found when this page was made. The program it was lowered to:");
  EXPECT_TRUE(without.find("lock.tir:1")->lines.empty());
  EXPECT_FALSE(without.find("somewhere").has_value());
  EXPECT_FALSE(without.find("x:0").has_value());

  Excerpts with(lock, [](const Interface&, const std::string& file) {
    return std::optional(FoundSource{"src/" + file, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"});
  });
  excerpt = with.find("lock.tir:8:3");
  EXPECT_EQ(excerpt->first, 4u);
  EXPECT_EQ(excerpt->line, 8u);
  EXPECT_EQ(excerpt->lines.size(), 7u);
  EXPECT_NE(with.find("lock.tir:12")->note.find("has no line 12"), std::string::npos);
}

TEST(Svg, HasIdsAndEscapes) {
  Interface lock = test::lock();
  lock.calls[1].name = "<&\\N\"";
  const std::string text = show_svg(lock);
  EXPECT_NE(text.find("<g class=\"node\" id=\"s1\">"), std::string::npos);
  EXPECT_NE(text.find("<g class=\"edge\" id=\"e3\">"), std::string::npos);
  EXPECT_NE(text.find(">&lt;&amp;\\N&quot;</text>"), std::string::npos);
  EXPECT_NE(show_svg(test::chain(1000)).find("too many for a picture"), std::string::npos);
}

TEST(Html, CarriesGuardsForTheExplorer) {
  const Interface player = test::player();
  ExplorerSide side;
  side.interface = &player;
  side.states = 2;
  const auto data = explorer_data(side, {});
  const auto& guarded = data["guarded"];
  EXPECT_EQ(guarded["tracked"][0]["shown"], "duration()");
  EXPECT_EQ(guarded["parameters"][0], (nlohmann::json{"url", "duration"}));
  EXPECT_EQ(guarded["guards"].size(), player.guards.size());
  EXPECT_EQ(guarded["guards"][0]["when"], player.guards[0].condition);
  EXPECT_EQ(guarded["cells"]["7"]["when"], "ms < d");
  EXPECT_EQ(guarded["cells"]["7"]["shown"], "ms < duration()");
  EXPECT_EQ(guarded["cells"]["0"]["set"]["n"], "n - 1");
  EXPECT_EQ(guarded["starts"][0]["when"], "1 <= limit");
  EXPECT_EQ(guarded["constants"]["Mode"]["Fast"], 4);
  EXPECT_EQ(guarded["never"], (nlohmann::json{"stop"}));
  EXPECT_EQ(guarded["aside"].size(), 1u);
  EXPECT_EQ(guarded["left_out"].size(), 1u);
  side.interface = nullptr;
  const Interface lock = test::lock();
  side.interface = &lock;
  EXPECT_FALSE(explorer_data(side, {}).contains("guarded"));
}

} // namespace
} // namespace tacit
