#include "client/test_text.h"

#include <limits>

#include <fmt/format.h>

namespace tacit {

namespace {

bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?'; }

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

} // namespace

std::string c_quoted(std::string_view text) {
  std::string made = "\"";
  // Three octal digits end an escape, whatever follows.
  for (const char c : text)
    made += is_plain(c)
                ? std::string(1, c)
                : fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return made + "\"";
}

std::string java_quoted(std::string_view text) {
  std::string made = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at++]);
    if (first < 0x80) {
      made += is_plain(static_cast<char>(first)) ? std::string(1, static_cast<char>(first))
                                                 : fmt::format("\\{:03o}", first);
      continue;
    }
    // UTF-8; what is none stands for itself.
    const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    unsigned point = more == 0 ? first : first & (0x3fU >> more);
    for (int i = 0; i < more && at < text.size(); ++i)
      point = point << 6U | (static_cast<unsigned char>(text[at++]) & 0x3fU);
    if (point >= 0x10000) {
      made += fmt::format("\\u{:04x}", 0xd800 + ((point - 0x10000) >> 10U & 0x3ffU));
      point = 0xdc00 + ((point - 0x10000) & 0x3ffU);
    }
    made += fmt::format("\\u{:04x}", point);
  }
  return made + "\"";
}

std::string c_number(Integer number, bool is_signed) {
  if (number >= std::numeric_limits<int>::min() + 1 && number <= std::numeric_limits<int>::max())
    return to_string(number);
  if (number == std::numeric_limits<int>::min()) return "(-2147483647 - 1)";
  if (number <= std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807LL - 1)";
  if (number < 0 || (is_signed && number <= std::numeric_limits<std::int64_t>::max()))
    return to_string(number) + "LL";
  return to_string(number) + "ULL";
}

std::string identifier(std::string_view text) {
  std::string made;
  for (const char c : text)
    if (is_word(c))
      made += c;
    else if (!made.empty() && made.back() != '_')
      made += '_';
  while (made.ends_with('_')) made.pop_back();
  if (made.empty() || (made[0] >= '0' && made[0] <= '9')) made.insert(0, "t");
  return made;
}

std::string test_name(std::string_view title, std::size_t index) {
  constexpr std::size_t longest = 60;
  std::string name = identifier(title).substr(0, longest);
  std::string without;
  for (const char c : name)
    if (c != '_' || !without.ends_with('_')) without += c;
  return fmt::format("{}_{}", without, index + 1);
}

std::string one_line(std::string_view text) {
  std::string made;
  // A backslash at the end would take the next line along, and \u means something in Java.
  for (const char c : text) made += c < ' ' || c > '~' ? ' ' : c == '\\' ? '/' : c;
  return made;
}

} // namespace tacit
