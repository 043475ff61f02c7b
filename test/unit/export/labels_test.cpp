#include "export/labels.h"

#include <gtest/gtest.h>

namespace tacit {
namespace {

Interface with_labels(const std::vector<std::string>& labels) {
  Interface interface;
  for (const std::string& label : labels) {
    interface.states.emplace_back();
    interface.states.back().label = label;
  }
  return interface;
}

TEST(Labels, WhatAllStatesSayIsSaidOnce) {
  const auto shown = shown_labels(with_labels({"a && b", "a && c || a && f(b && c)", "a"}));
  EXPECT_EQ(shown.everywhere, "a");
  EXPECT_EQ(shown.states, (std::vector<std::string>{"b", "c || f(b && c)", "true"}));
}

TEST(Labels, StayWhereNothingIsCommon) {
  const std::vector<std::string> labels{"a && b", "a || b", "", "a ? b : c && d"};
  const auto shown = shown_labels(with_labels(labels));
  EXPECT_EQ(shown.everywhere, "");
  EXPECT_EQ(shown.states, labels);
  EXPECT_EQ(shown_labels(with_labels({"a && b"})).everywhere, "") << "of a single state";
}

TEST(Labels, QuotedNamesAndBracketsAreKeptTogether) {
  const auto shown = shown_labels(with_labels({"`a && b` && m[x && y] == 1", "`a && b` && c"}));
  EXPECT_EQ(shown.everywhere, "`a && b`");
  EXPECT_EQ(shown.states, (std::vector<std::string>{"m[x && y] == 1", "c"}));
}

TEST(Labels, InLongOnesWhatSetsAStateApartComesFirst) {
  const std::string common = "first_condition_that_is_long && second_condition_that_is_long";
  const auto shown =
      shown_labels(with_labels({common + " && mode == 1", common + " && mode == 2", "closed"}));
  EXPECT_EQ(shown.everywhere, "");
  EXPECT_EQ(shown.states[0], "mode == 1 && " + common);
  EXPECT_EQ(shown.states[2], "closed");
}

} // namespace
} // namespace tacit
