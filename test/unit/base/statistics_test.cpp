#include "base/statistics.h"

#include <gtest/gtest.h>

#include "base/should.h"

namespace tacit {
namespace {

std::string listed(const Statistics& statistics) {
  std::string text;
  for (const auto& [key, value] : statistics) text += key + "=" + figure_text(value) + ";";
  return text;
}

TEST(Statistics, KeepsTheOrderOfFirstMention) {
  Statistics statistics;
  statistics.add("queries");
  statistics.set("engine", "direct");
  statistics.set("seconds", 0.25);
  statistics.add("queries", 4);
  statistics.set("engine", "learn");
  EXPECT_EQ(listed(statistics), "queries=5;engine=learn;seconds=0.250;");
  EXPECT_EQ(statistics.size(), 3u);
}

TEST(Statistics, FindsAndCounts) {
  Statistics statistics;
  EXPECT_TRUE(statistics.empty());
  EXPECT_EQ(statistics.find("states"), nullptr);
  EXPECT_EQ(statistics.count("states"), 0);
  statistics.set("states", std::size_t{12});
  ASSERT_NE(statistics.find("states"), nullptr);
  EXPECT_EQ(statistics.count("states"), 12);
}

TEST(Statistics, SumsWithSecondsAreReal) {
  Statistics statistics;
  statistics.add("solver");
  statistics.add_seconds("solver", 0.5);
  statistics.add("solver");
  EXPECT_EQ(listed(statistics), "solver=2.500;");
}

TEST(Statistics, DoesNotAddToATextSilently) {
  Statistics statistics;
  statistics.set("engine", "direct");
  EXPECT_THROW(statistics.add("engine"), InternalError);
}

TEST(Statistics, MergesAnotherRecord) {
  Statistics left;
  left.add("queries", 2);
  left.set("engine", "direct");
  Statistics right;
  right.set("engine", "cegar");
  right.add("queries", 3);
  right.add_seconds("seconds", 0.5);
  left.merge(right);
  EXPECT_EQ(listed(left), "queries=5;engine=cegar;seconds=0.500;");
}

} // namespace
} // namespace tacit
