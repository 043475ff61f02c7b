#include "interface/json_emitter.h"

#include <charconv>
#include <cmath>

#include "base/should.h"
#include "interface/utf8.h"

namespace tacit {

JsonEmitter::JsonEmitter(std::ostream& out) : out_(out) { buffer_.reserve(limit + limit / 4); }

void JsonEmitter::flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

void JsonEmitter::indent() {
  buffer_ += '\n';
  for (const Level& level : levels_)
    if (level.layout == Layout::Rows) buffer_ += "  ";
}

void JsonEmitter::before_member(Level& level) {
  if (!level.empty) buffer_ += level.layout == Layout::Rows ? "," : ", ";
  level.empty = false;
  if (level.layout == Layout::Rows) indent();
}

void JsonEmitter::before_value() {
  if (after_key_)
    after_key_ = false;
  else if (!levels_.empty())
    before_member(levels_.back());
}

void JsonEmitter::begin(char open, char close, Layout layout) {
  before_value();
  buffer_ += open;
  levels_.push_back({close, layout});
}

void JsonEmitter::end() {
  should(!levels_.empty() && !after_key_, "an object or array should be open");
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout == Layout::Rows && !level.empty) indent();
  raw({&level.close, 1});
}

void JsonEmitter::key(std::string_view name) {
  should(!levels_.empty() && levels_.back().close == '}' && !after_key_,
         "a key should stand in an object");
  before_member(levels_.back());
  quoted(name);
  buffer_ += ": ";
  after_key_ = true;
}

void JsonEmitter::quoted(std::string_view value) {
  buffer_ += '"';
  std::size_t done = 0; // what is before has been written
  const auto replace = [&](std::size_t at, std::string_view by) {
    buffer_ += value.substr(done, at - done);
    buffer_ += by;
    done = at + 1;
  };
  for (std::size_t at = 0; at < value.size();) {
    const unsigned char c = static_cast<unsigned char>(value[at]);
    std::size_t length = 1;
    if (c >= 0x80) {
      length = utf8_length(value, at);
      if (length == 0) replace(at, "\xef\xbf\xbd"), length = 1;
    } else if (c == '"') {
      replace(at, "\\\"");
    } else if (c == '\\') {
      replace(at, "\\\\");
    } else if (c < 0x20) {
      constexpr std::string_view hex = "0123456789abcdef";
      const char code[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
      switch (c) {
      case '\n': replace(at, "\\n"); break;
      case '\t': replace(at, "\\t"); break;
      case '\r': replace(at, "\\r"); break;
      case '\b': replace(at, "\\b"); break;
      case '\f': replace(at, "\\f"); break;
      default: replace(at, {code, sizeof code});
      }
    }
    at += length;
  }
  buffer_ += value.substr(done);
  raw("\"");
}

void JsonEmitter::text(std::string_view value) {
  before_value();
  quoted(value);
}

void JsonEmitter::number(std::uint64_t value) {
  before_value();
  char digits[24];
  raw({digits, std::to_chars(digits, digits + sizeof digits, value).ptr});
}

void JsonEmitter::number(std::int64_t value) {
  before_value();
  char digits[24];
  raw({digits, std::to_chars(digits, digits + sizeof digits, value).ptr});
}

void JsonEmitter::real(double value) {
  if (!std::isfinite(value)) return null();
  before_value();
  char digits[40];
  const std::string_view text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  raw(text);
  if (text.find_first_of(".e") == std::string_view::npos) raw(".0");
}

void JsonEmitter::boolean(bool value) {
  before_value();
  raw(value ? "true" : "false");
}

void JsonEmitter::null() {
  before_value();
  raw("null");
}

void JsonEmitter::newline() { raw("\n"); }

} // namespace tacit
