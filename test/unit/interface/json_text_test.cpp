// The JSON emitter and cursor, on their own; nlohmann's reader is the judge of what is JSON.
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "interface/json_cursor.h"
#include "interface/json_emitter.h"

namespace tacit {
namespace {

std::string emitted(std::string_view text) {
  std::ostringstream out;
  JsonEmitter(out).text(text);
  return out.str();
}

TEST(JsonEmitter, EscapesText) {
  EXPECT_EQ(emitted("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(emitted("\n\t\r\b\f"), R"("\n\t\r\b\f")");
  EXPECT_EQ(emitted(std::string("\0\x01\x1f\x7f", 4)), "\"\\u0000\\u0001\\u001f\x7f\"");
  EXPECT_EQ(emitted("größer → 𝄞"), "\"größer → 𝄞\"");
}

TEST(JsonEmitter, ReplacesWhatIsNoUtf8) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(emitted("a\xff"
                    "b"),
            "\"a" + bad + "b\"");
  EXPECT_EQ(emitted("\xe2\x82"), "\"" + bad + bad + "\"");           // truncated
  EXPECT_EQ(emitted("\xc0\xaf"), "\"" + bad + bad + "\"");           // overlong
  EXPECT_EQ(emitted("\xed\xa0\x80"), "\"" + bad + bad + bad + "\""); // a surrogate
  EXPECT_EQ(emitted("\xf4\x90\x80\x80"), "\"" + bad + bad + bad + bad + "\"");
}

TEST(JsonEmitter, LaysOutRowsAndLines) {
  std::ostringstream out;
  {
    JsonEmitter json(out);
    json.begin_object(JsonEmitter::Layout::Rows);
    json.key("rows");
    json.begin_array(JsonEmitter::Layout::Rows);
    json.begin_object();
    json.key("a"), json.number(std::int64_t{-3});
    json.key("b"), json.null();
    json.end_object();
    json.real(1), json.real(0.1), json.real(1e300), json.real(0.0 / 0.0);
    json.end_array();
    json.key("none");
    json.begin_array(JsonEmitter::Layout::Rows);
    json.end_array();
    json.key("yes"), json.boolean(true);
    json.end_object();
  }
  EXPECT_EQ(out.str(), "{\n  \"rows\": [\n    {\"a\": -3, \"b\": null},\n    1.0,\n    0.1,\n    "
                       "1e+300,\n    null\n  ],\n"
                       "  \"none\": [],\n  \"yes\": true\n}");
}

std::string complaint(std::string_view text) {
  JsonCursor cursor(text);
  try {
    cursor.skip();
    cursor.finish();
  } catch (const JsonError& error) {
    return std::to_string(error.offset) + ": " + error.message;
  }
  return "";
}

TEST(JsonCursor, NamesWhatIsWrong) {
  EXPECT_EQ(complaint(""), "0: expected a value, found the end of the text");
  EXPECT_EQ(complaint("[1 2]"), "3: expected ',' or ']', found '2'");
  EXPECT_EQ(complaint("[1,]"), "3: expected a value, found ']'");
  EXPECT_EQ(complaint("{\"a\" 1}"), "5: expected ':', found '1'");
  EXPECT_EQ(complaint("{\"a\": 1,}"), "8: expected a field's name, found '}'");
  EXPECT_EQ(complaint("{a: 1}"), "1: expected a field's name or '}', found 'a'");
  EXPECT_EQ(complaint("\"abc"), "0: this string is not closed");
  EXPECT_EQ(complaint("\"abc\n\""), "4: this string is not closed at the end of its line");
  EXPECT_EQ(complaint("\"\x02\""), "1: a string should not contain the byte 0x02");
  EXPECT_EQ(complaint("\"\\x\""), "2: expected an escape: one of \" \\ / b f n r t u, found 'x'");
  EXPECT_EQ(complaint("\"\\ud800\""), "1: a surrogate without its other half");
  EXPECT_EQ(complaint("\"\\u12g4\""), "5: expected four hexadecimal digits after \\u, found 'g'");
  EXPECT_EQ(complaint("\"\xff\""), "1: the byte 0xff is not UTF-8 here");
  EXPECT_EQ(complaint("-"), "1: expected a digit, found the end of the text");
  EXPECT_EQ(complaint("01"), "1: expected the end of the text, found '1'");
  EXPECT_EQ(complaint("truth"), "0: expected a value, found 't'");
  EXPECT_EQ(complaint("[1] x"), "4: expected the end of the text, found 'x'");
  EXPECT_EQ(complaint("\x01"), "0: expected a value, found the byte 0x01");
}

TEST(JsonCursor, StopsAtDeepNesting) {
  EXPECT_EQ(complaint(std::string(200, '[') + std::string(200, ']')), "");
  EXPECT_EQ(complaint(std::string(201, '[') + std::string(201, ']')),
            "200: nested more than 200 deep");
  EXPECT_EQ(complaint(std::string(10'000'000, '[')), "200: nested more than 200 deep");
}

TEST(JsonCursor, ReadsStrings) {
  JsonCursor cursor(R"(["plain", "a\"\\\/\b\f\n\r\t", "\u00e9\ud834\udd1e"])");
  cursor.enter();
  std::vector<std::string> found;
  while (cursor.next_element()) found.emplace_back(cursor.string());
  EXPECT_EQ(found, (std::vector<std::string>{"plain", "a\"\\/\b\f\n\r\t", "é𝄞"}));
}

// Damaged documents: we and nlohmann agree on which are JSON.
TEST(JsonCursor, AgreesWithNlohmann) {
  const std::string seed =
      R"({"a": [1, -0.5e+3, true, false, null, {}], "b\u00e9\n": {"c": ["x", "größer", []], "d": 1e5}, "": 0.25})";
  ASSERT_EQ(complaint(seed), "");
  const std::string alphabet = "{}[]\",:\\u09-+.eE tfn\n\x01\x80\xc3\xa9";
  std::mt19937 random(7);
  std::size_t accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = seed;
    for (int edits = 1 + static_cast<int>(random() % 2); edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const char c = alphabet[random() % alphabet.size()];
      switch (random() % 3) {
      case 0: text[at] = c; break;
      case 1: text.insert(at, 1, c); break;
      default: text.erase(at, 1); break;
      }
    }
    const bool ours = complaint(text).empty();
    accepted += ours;
    ASSERT_EQ(ours, nlohmann::json::accept(text)) << text << "\n" << complaint(text);
  }
  EXPECT_GT(accepted, 500u);
}

} // namespace
} // namespace tacit
