// What texts answer, as their languages' own functions do.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "program/ir/text_facts.h"

namespace tacit {
namespace {

constexpr Integer no_position = (Integer{1} << 64) - 1;

Integer position(std::size_t found) {
  return found == std::string::npos ? no_position : static_cast<Integer>(found);
}

TEST(TextFacts, BytesAnswerAsStringsDo) {
  std::mt19937 random(7);
  const auto letters = [&](std::size_t most) {
    std::string made;
    for (std::size_t n = random() % (most + 1); made.size() < n;) made += "ab:"[random() % 3];
    return made;
  };
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = letters(8), wanted = letters(2) + "a";
    const std::size_t from = random() % 5;
    const std::string with = "(" + wanted + ")", later = "(" + wanted + "," + std::to_string(from);
    const auto asks = [&](const std::string& question) {
      const auto answer = byte_text_fact(text, question);
      EXPECT_TRUE(answer) << question;
      return answer.value_or(-1);
    };
    EXPECT_EQ(asks("find" + with), position(text.find(wanted)));
    EXPECT_EQ(asks("find" + later + ")"), position(text.find(wanted, from)));
    EXPECT_EQ(asks("rfind" + later + ")"), position(text.rfind(wanted, from)));
    EXPECT_EQ(asks("find(58)"), position(text.find(':')));
    EXPECT_EQ(asks("find_first_of" + with), position(text.find_first_of(wanted)));
    EXPECT_EQ(asks("find_last_not_of" + with), position(text.find_last_not_of(wanted)));
    EXPECT_EQ(asks("starts_with" + with), text.starts_with(wanted) ? 1 : 0);
    EXPECT_EQ(asks("ends_with(58)"), text.ends_with(':') ? 1 : 0);
    EXPECT_EQ(asks("compare" + with) == 0, text == wanted);
    EXPECT_EQ(asks("compare(0,2," + wanted + ")") < 0, text.compare(0, 2, wanted) < 0);
    EXPECT_EQ(byte_text_fact(text, "back").has_value(), !text.empty());
    EXPECT_EQ(byte_text_fact(text + "b", "back"), Integer{'b'});
    found += text.find(wanted) != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(found, 200);
}

TEST(TextFacts, WhatNobodyAnswersIsNotAnswered) {
  for (const char* question : {"back", "at(1)", "compare(1,2,a)", "find", "find()x", "size(3)",
                               "find(a,b)", "find(200)", "compare(0,a)"})
    EXPECT_FALSE(byte_text_fact("", question)) << question;
  EXPECT_EQ(byte_text_fact("", "at(0)"), Integer{0}); // the zero behind it
}

} // namespace
} // namespace tacit
