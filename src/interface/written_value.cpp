#include "interface/written_value.h"

#include <array>
#include <cctype>

#include <fmt/ranges.h>

namespace tacit {
namespace {

using Kind = WrittenValue::Kind;

/// Deeper values are no values.
constexpr int max_depth = 50;

bool blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// What a word or a number comes to.
WrittenValue of_word(std::string word) {
  static constexpr std::array<std::string_view, 4> nulls = {"null", "nullptr", "NULL", "None"};
  for (const std::string_view null : nulls)
    if (word == null) return {Kind::Null, {}, 0, {}};
  if (word == "true" || word == "false") return {Kind::Bool, {}, word == "true" ? 1 : 0, {}};
  if (word == "$self" || word == "this") return {Kind::Self, {}, 0, {}};
  if (word == "$out") return {Kind::Out, {}, 0, {}};
  if (word == "?" || word == "_") return {};
  if (const auto number = parse_integer(word)) return {Kind::Number, {}, *number, {}};
  if (word.starts_with('<') && word.ends_with('>')) return {Kind::Object, std::move(word), 0, {}};
  const bool digits =
      std::isdigit(static_cast<unsigned char>(word[0])) || (word[0] == '-' && word.size() > 1);
  return {digits ? Kind::Other : Kind::Bare, std::move(word), 0, {}};
}

class CallReader {
public:
  CallReader(std::string_view name, std::string_view rest) : rest_(rest) { call_.name = name; }

  Result<WrittenCall> run() {
    if (take('(')) {
      auto arguments = list(')');
      if (!arguments) return std::unexpected(arguments.error());
      call_.arguments = std::move(*arguments);
    }
    if (take('=')) {
      auto result = value(0);
      if (!result) return std::unexpected(result.error());
      call_.result = std::move(*result);
    }
    if (take(':')) {
      call_.outcome = rest_.substr(at_);
      at_ = rest_.size();
      if (call_.outcome.empty()) return fail("'{}': an outcome should follow the colon", shown());
    }
    if (at_ < rest_.size())
      return fail("'{}': '{}' is neither arguments, '=RESULT' nor ':OUTCOME'", shown(),
                  rest_.substr(at_));
    return std::move(call_);
  }

private:
  std::string shown() const { return call_.name + std::string(rest_); }
  char peek() const { return at_ < rest_.size() ? rest_[at_] : '\0'; }
  void skip_blanks() {
    while (at_ < rest_.size() && blank(rest_[at_])) ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (peek() != c || at_ >= rest_.size()) return false;
    ++at_;
    return true;
  }

  Result<std::vector<WrittenValue>> list(char close, int depth = 0) {
    std::vector<WrittenValue> values;
    if (take(close)) return values;
    while (true) {
      auto next = value(depth + 1);
      if (!next) return std::unexpected(next.error());
      values.push_back(std::move(*next));
      if (take(close)) return values;
      if (!take(',')) return fail("'{}': a comma or '{}' is missing", shown(), close);
    }
  }

  Result<WrittenValue> value(int depth) {
    if (depth > max_depth) return fail("a value is nested more than {} deep", max_depth);
    skip_blanks();
    if (peek() == '"' || peek() == '\'') return quoted(rest_[at_++]);
    for (const auto& [open, close, kind] :
         {std::tuple{'[', ']', Kind::List}, std::tuple{'{', '}', Kind::Fields}}) {
      if (!take(open)) continue;
      auto parts = list(close, depth);
      if (!parts) return std::unexpected(parts.error());
      return WrittenValue{kind, {}, 0, std::move(*parts)};
    }
    return word();
  }

  /// Up to a comma, a closing bracket or an outcome; brackets within belong to it.
  Result<WrittenValue> word() {
    std::string text;
    int open = 0;
    for (; at_ < rest_.size(); ++at_) {
      const char c = rest_[at_];
      const bool pair = c == ':' && (at_ + 1 < rest_.size() && rest_[at_ + 1] == ':');
      if (open == 0 && !pair && std::string_view(",)]}:").find(c) != std::string_view::npos) break;
      if (c == '(' || c == '<') ++open;
      if (c == ')' || c == '>') --open;
      text += c;
      if (pair) text += rest_[++at_];
    }
    while (!text.empty() && blank(text.back())) text.pop_back();
    if (text.empty()) return fail("'{}': a value is missing", shown());
    return of_word(std::move(text));
  }

  Result<WrittenValue> quoted(char quote) {
    std::string text;
    for (; at_ < rest_.size() && rest_[at_] != quote; ++at_) {
      char c = rest_[at_];
      if (c == '\\' && at_ + 1 < rest_.size()) {
        c = rest_[++at_];
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == '0' ? '\0' : c;
      }
      text += c;
    }
    if (at_ == rest_.size()) return fail("'{}': the quote {} is not closed", shown(), quote);
    ++at_;
    return WrittenValue{quote == '"' ? Kind::Text : Kind::Char, std::move(text), 0, {}};
  }

  std::string_view rest_;
  std::size_t at_ = 0;
  WrittenCall call_;
};

std::string escaped(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (c == '\r')
      result += "\\r";
    else
      result += c;
  }
  return result + quote;
}

std::string listed(const std::vector<WrittenValue>& values) {
  std::vector<std::string> texts;
  for (const WrittenValue& value : values) texts.push_back(to_string(value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Places where a name may end: before a parenthesis, a result or an outcome.
bool may_end(std::string_view text, std::size_t at) {
  if (at == text.size() || text[at] == '(' || text[at] == '=') return true;
  if (text[at] != ':') return false;
  return !(at > 0 && text[at - 1] == ':') && !(at + 1 < text.size() && text[at + 1] == ':');
}

} // namespace

std::string to_string(const WrittenValue& value) {
  switch (value.kind) {
  case Kind::Missing: return "?";
  case Kind::Null: return "null";
  case Kind::Bool: return value.number != 0 ? "true" : "false";
  case Kind::Number: return to_string(value.number);
  case Kind::Text: return escaped(value.text, '"');
  case Kind::Char: return escaped(value.text, '\'');
  case Kind::Bare:
  case Kind::Recorded:
  case Kind::Object:
  case Kind::Other: return value.text;
  case Kind::Fields: return "{" + listed(value.parts) + "}";
  case Kind::List: return "[" + listed(value.parts) + "]";
  case Kind::Self: return "$self";
  case Kind::Out: return "$out";
  }
  return "?";
}

std::string to_string(const WrittenCall& call) {
  std::string text = call.name;
  if (call.arguments) text += "(" + listed(*call.arguments) + ")";
  if (call.result) text += "=" + to_string(*call.result);
  if (!call.outcome.empty()) text += ":" + call.outcome;
  return text;
}

Result<WrittenCall> parse_written_call(std::string_view text, const IsName& is_name) {
  for (std::size_t end = text.size(); end > 0; --end)
    if (may_end(text, end) && is_name(text.substr(0, end)))
      return CallReader(text.substr(0, end), text.substr(end)).run();
  std::size_t end = 1;
  while (end < text.size() && !may_end(text, end)) ++end;
  end = std::min(end, text.size());
  return CallReader(text.substr(0, end), text.substr(end)).run();
}

WrittenValue read_written_value(JsonCursor& cursor) {
  const auto all = [&] {
    std::vector<WrittenValue> parts;
    cursor.enter();
    while (cursor.next_element()) parts.push_back(read_written_value(cursor));
    return parts;
  };
  switch (cursor.kind()) {
  case JsonKind::Null: cursor.null(); return {Kind::Null, {}, 0, {}};
  case JsonKind::Boolean: return {Kind::Bool, {}, cursor.boolean() ? 1 : 0, {}};
  case JsonKind::Number: {
    const std::string digits(cursor.number());
    if (const auto number = parse_integer(digits)) return {Kind::Number, {}, *number, {}};
    return {Kind::Other, digits, 0, {}};
  }
  case JsonKind::String: {
    std::string text(cursor.string());
    if (text == "$self") return {Kind::Self, {}, 0, {}};
    if (text == "$out") return {Kind::Out, {}, 0, {}};
    if (text.starts_with('<') && text.ends_with('>')) return {Kind::Object, std::move(text), 0, {}};
    return {Kind::Recorded, std::move(text), 0, {}};
  }
  case JsonKind::Array: return {Kind::List, {}, 0, all()};
  case JsonKind::Object: break;
  }
  WrittenValue value{Kind::Other, "{…}", 0, {}};
  cursor.enter();
  for (std::string_view key; cursor.next_field(key);) {
    if (key == "object" && cursor.kind() == JsonKind::String) {
      value = {Kind::Object, std::string(cursor.string()), 0, {}};
    } else if (key == "fields" && cursor.kind() == JsonKind::Array) {
      value = {Kind::Fields, {}, 0, all()};
    } else {
      cursor.skip();
    }
  }
  return value;
}

} // namespace tacit
