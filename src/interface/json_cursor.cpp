#include "interface/json_cursor.h"

#include <fmt/format.h>

#include "base/should.h"
#include "interface/utf8.h"

namespace tacit {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

} // namespace

std::string_view to_string(JsonKind kind) {
  switch (kind) {
  case JsonKind::Object: return "an object";
  case JsonKind::Array: return "an array";
  case JsonKind::String: return "a string";
  case JsonKind::Number: return "a number";
  case JsonKind::Boolean: return "true or false";
  case JsonKind::Null: return "null";
  }
  should_not_be_reached("a JSON value should be of a known kind");
}

void JsonCursor::fail_at(std::size_t offset, std::string message) const {
  throw JsonError{offset, std::move(message)};
}

void JsonCursor::unexpected(std::string_view wanted) {
  if (at_ >= text_.size())
    fail_at(at_, fmt::format("expected {}, found the end of the text", wanted));
  const auto c = static_cast<unsigned char>(text_[at_]);
  const std::size_t length = utf8_length(text_, at_);
  if (c < 0x20 || c == 0x7f || length == 0)
    fail_at(at_, fmt::format("expected {}, found the byte 0x{:02x}", wanted, c));
  fail_at(at_, fmt::format("expected {}, found '{}'", wanted, text_.substr(at_, length)));
}

void JsonCursor::skip_space() {
  if (at_ == 0 && text_.starts_with("\xef\xbb\xbf")) at_ = 3; // a byte order mark
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
    ++at_;
}

std::size_t JsonCursor::offset() {
  skip_space();
  return at_;
}

JsonKind JsonCursor::kind() {
  skip_space();
  switch (const char c = peek()) {
  case '{': return JsonKind::Object;
  case '[': return JsonKind::Array;
  case '"': return JsonKind::String;
  case 't':
  case 'f': return JsonKind::Boolean;
  case 'n': return JsonKind::Null;
  default:
    if (c != '-' && !is_digit(c)) unexpected("a value");
    return JsonKind::Number;
  }
}

void JsonCursor::want(JsonKind wanted) {
  if (const JsonKind found = kind(); found != wanted)
    fail_at(at_, fmt::format("should be {}, is {}", to_string(wanted), to_string(found)));
}

void JsonCursor::enter() {
  const JsonKind found = kind();
  should(found == JsonKind::Object || found == JsonKind::Array,
         "only objects and arrays should be entered");
  if (places_.size() >= max_depth) fail_at(at_, fmt::format("nested more than {} deep", max_depth));
  places_.push_back(found == JsonKind::Object ? Place::ObjectStart : Place::ArrayStart);
  ++at_;
}

bool JsonCursor::next_field(std::string_view& key) {
  should(!places_.empty() && places_.back() <= Place::Object, "the cursor should be in an object");
  const bool first = places_.back() == Place::ObjectStart;
  places_.back() = Place::Object;
  skip_space();
  if (peek() == '}') {
    ++at_;
    places_.pop_back();
    return false;
  }
  if (!first) {
    if (peek() != ',') unexpected("',' or '}'");
    ++at_;
    skip_space();
  }
  if (peek() != '"') unexpected(first ? "a field's name or '}'" : "a field's name");
  key = string_into(key_);
  skip_space();
  if (peek() != ':') unexpected("':'");
  ++at_;
  return true;
}

bool JsonCursor::next_element() {
  should(!places_.empty() && places_.back() >= Place::ArrayStart,
         "the cursor should be in an array");
  const bool first = places_.back() == Place::ArrayStart;
  places_.back() = Place::Array;
  skip_space();
  if (peek() == ']') {
    ++at_;
    places_.pop_back();
    return false;
  }
  if (first) return true;
  if (peek() != ',') unexpected("',' or ']'");
  ++at_;
  skip_space();
  if (peek() == ']') unexpected("a value");
  return true;
}

std::string_view JsonCursor::string() {
  want(JsonKind::String);
  return string_into(value_);
}

/// At the opening quote. A view into the text where there are no escapes.
std::string_view JsonCursor::string_into(std::string& scratch) {
  const std::size_t open = at_++;
  std::size_t start = at_;
  bool escaped = false;
  for (;;) {
    if (at_ >= text_.size()) fail_at(open, "this string is not closed");
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '"') break;
    if (c == '\\') {
      if (!escaped) scratch.clear();
      escaped = true;
      scratch += text_.substr(start, at_ - start);
      escape(scratch);
      start = at_;
    } else if (c < 0x20) {
      fail_at(at_, c == '\n' ? "this string is not closed at the end of its line"
                             : fmt::format("a string should not contain the byte 0x{:02x}", c));
    } else if (c < 0x80) {
      ++at_;
    } else {
      const std::size_t length = utf8_length(text_, at_);
      if (length == 0) fail_at(at_, fmt::format("the byte 0x{:02x} is not UTF-8 here", c));
      at_ += length;
    }
  }
  const std::string_view rest = text_.substr(start, at_++ - start);
  if (!escaped) return rest;
  return scratch += rest;
}

char32_t JsonCursor::hex4() {
  char32_t value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = peek();
    if (is_digit(c))
      value = value * 16 + static_cast<char32_t>(c - '0');
    else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
      value = value * 16 + static_cast<char32_t>((c | 0x20) - 'a' + 10);
    else
      unexpected("four hexadecimal digits after \\u");
  }
  return value;
}

/// At the backslash.
void JsonCursor::escape(std::string& scratch) {
  const std::size_t start = at_++;
  switch (peek()) {
  case '"': scratch += '"'; break;
  case '\\': scratch += '\\'; break;
  case '/': scratch += '/'; break;
  case 'b': scratch += '\b'; break;
  case 'f': scratch += '\f'; break;
  case 'n': scratch += '\n'; break;
  case 'r': scratch += '\r'; break;
  case 't': scratch += '\t'; break;
  case 'u': {
    ++at_;
    char32_t c = hex4();
    if (c >= 0xd800 && c < 0xdc00 && text_.substr(at_).starts_with("\\u")) {
      at_ += 2;
      const char32_t low = hex4();
      if (low < 0xdc00 || low >= 0xe000) fail_at(start, "a surrogate without its other half");
      c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    } else if (c >= 0xd800 && c < 0xe000) {
      fail_at(start, "a surrogate without its other half");
    }
    append_utf8(scratch, c);
    return;
  }
  default: unexpected("an escape: one of \" \\ / b f n r t u");
  }
  ++at_;
}

std::string_view JsonCursor::number() {
  want(JsonKind::Number);
  const std::size_t start = at_;
  const auto digits = [&] {
    if (!is_digit(peek())) unexpected("a digit");
    while (is_digit(peek())) ++at_;
  };
  if (peek() == '-') ++at_;
  if (peek() == '0')
    ++at_;
  else
    digits();
  if (peek() == '.') ++at_, digits();
  if (peek() == 'e' || peek() == 'E') {
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    digits();
  }
  return text_.substr(start, at_ - start);
}

void JsonCursor::literal(std::string_view word) {
  if (!text_.substr(at_).starts_with(word)) unexpected("a value");
  at_ += word.size();
}

bool JsonCursor::boolean() {
  want(JsonKind::Boolean);
  const bool value = peek() == 't';
  literal(value ? "true" : "false");
  return value;
}

void JsonCursor::null() {
  want(JsonKind::Null);
  literal("null");
}

void JsonCursor::skip() {
  const std::size_t outer = places_.size();
  do {
    if (places_.size() > outer) {
      std::string_view key;
      const bool more = places_.back() <= Place::Object ? next_field(key) : next_element();
      if (!more) continue; // the level has been left
    }
    switch (kind()) {
    case JsonKind::Object:
    case JsonKind::Array: enter(); break;
    case JsonKind::String: string(); break;
    case JsonKind::Number: number(); break;
    case JsonKind::Boolean: boolean(); break;
    case JsonKind::Null: null(); break;
    }
  } while (places_.size() > outer);
}

void JsonCursor::finish() {
  skip_space();
  if (at_ < text_.size()) unexpected("the end of the text");
}

} // namespace tacit
