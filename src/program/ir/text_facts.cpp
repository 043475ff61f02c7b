#include "program/ir/text_facts.h"

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

namespace tacit {

namespace {

std::u16string utf16(std::string_view text) {
  std::u16string units;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    char32_t point = lead;
    if (lead >= 0xc0) {
      const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
      point = lead & (0x3fu >> more);
      for (int k = 0; k < more && i < text.size(); ++k)
        point = point << 6 | (static_cast<unsigned char>(text[i++]) & 0x3fu);
    }
    if (point >= 0x10000) {
      units += static_cast<char16_t>(0xd800 + ((point - 0x10000) >> 10));
      point = 0xdc00 + ((point - 0x10000) & 0x3ff);
    }
    units += static_cast<char16_t>(point);
  }
  return units;
}

constexpr std::u16string_view white = u" \t\n\v\f\r\x1c\x1d\x1e\x1f";

bool is_ascii(std::u16string_view text) {
  return std::ranges::all_of(text, [](char16_t c) { return c < 0x80; });
}

/// As `trim` and `strip` have it; they differ beyond ASCII and in control characters.
std::u16string stripped(const std::u16string& text, bool control) {
  const auto outer = [&](char16_t c) {
    return control ? c <= u' ' : white.find(c) != std::u16string_view::npos;
  };
  std::size_t from = 0, to = text.size();
  while (from < to && outer(text[from])) ++from;
  while (to > from && outer(text[to - 1])) --to;
  return text.substr(from, to - from);
}

std::u16string in_case(std::u16string text, bool upper) {
  for (char16_t& c : text) {
    if (upper && c >= u'a' && c <= u'z') c = static_cast<char16_t>(c - 32);
    if (!upper && c >= u'A' && c <= u'Z') c = static_cast<char16_t>(c + 32);
  }
  return text;
}

std::optional<Integer> number(const std::u16string& digits) {
  if (digits.empty() || digits.size() > 9 ||
      !std::ranges::all_of(digits, [](char16_t c) { return c >= u'0' && c <= u'9'; }))
    return std::nullopt;
  Integer value = 0;
  for (const char16_t c : digits) value = value * 10 + (c - u'0');
  return value;
}

Integer position(std::size_t found) {
  return found == std::u16string::npos ? Integer{-1} : static_cast<Integer>(found);
}

std::optional<Integer> matches(const std::u16string& text, const std::u16string& pattern) {
  if (!is_ascii(text) || !is_ascii(pattern)) return std::nullopt;
  try {
    const std::regex regex(std::string(pattern.begin(), pattern.end()));
    return std::regex_match(std::string(text.begin(), text.end()), regex) ? 1 : 0;
  } catch (const std::regex_error&) {
    return std::nullopt;
  }
}

std::optional<Integer> asked(const std::u16string& text, std::string_view name,
                             const std::u16string& argument) {
  const auto whole = static_cast<Integer>(text.size());
  if (name == "length") return whole;
  if (name == "isEmpty") return text.empty() ? 1 : 0;
  if (name == "isBlank") {
    if (!is_ascii(text)) return std::nullopt;
    return stripped(text, false).empty() ? 1 : 0;
  }
  if (name == "contains") return text.find(argument) != std::u16string::npos ? 1 : 0;
  if (name == "startsWith") return text.starts_with(argument) ? 1 : 0;
  if (name == "endsWith") return text.ends_with(argument) ? 1 : 0;
  if (name == "equals") return text == argument ? 1 : 0;
  if (name == "matches") return matches(text, argument);
  if (name == "equalsIgnoreCase") {
    if (!is_ascii(text) || !is_ascii(argument)) return std::nullopt;
    return in_case(text, false) == in_case(argument, false) ? 1 : 0;
  }
  const auto given = number(argument);
  if (!given) return std::nullopt;
  const auto unit = static_cast<char16_t>(*given);
  if (name == "indexOf") return position(text.find(unit));
  if (name == "lastIndexOf") return position(text.rfind(unit));
  if (name == "charAt" && *given < whole) return text[static_cast<std::size_t>(*given)];
  return std::nullopt;
}

} // namespace

namespace {

/// Does what `trim().toLowerCase().` says and takes it off the question.
bool change(std::u16string& units, std::string_view& question) {
  for (;;) {
    const std::size_t step = question.find('(');
    if (step == std::string_view::npos || !question.substr(step).starts_with("().")) return true;
    const std::string_view name = question.substr(0, step);
    if (!is_ascii(units)) return false;
    if (name == "trim" || name == "strip")
      units = stripped(units, name == "trim");
    else if (name == "toLowerCase" || name == "toUpperCase")
      units = in_case(units, name == "toUpperCase");
    else
      return false;
    question.remove_prefix(step + 3);
  }
}

} // namespace

std::optional<Integer> text_fact(std::string_view text, std::string_view question) {
  std::u16string units = utf16(text);
  if (!change(units, question)) return std::nullopt;
  const std::size_t open = question.find('(');
  if (open == std::string_view::npos) return asked(units, question, {});
  if (!question.ends_with(')')) return std::nullopt;
  return asked(units, question.substr(0, open),
               utf16(question.substr(open + 1, question.size() - open - 2)));
}

namespace {

/// What stands between the brackets of a question: positions, and a text or a character.
struct Given {
  std::vector<Integer> before; // positions in front of the text
  std::optional<std::string> text;
  std::optional<Integer> from; // a position behind it
};

std::optional<Integer> plain_number(std::string_view digits) {
  const bool number = !digits.empty() && digits.size() <= 20 &&
                      std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  return number ? parse_integer(digits) : std::nullopt;
}

std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    parts.push_back(list.substr(from, comma - from));
    from = comma + 1;
  }
  return parts;
}

/// Of a search: a character by its number or a text, and where it begins.
std::optional<Given> searched(const std::vector<std::string_view>& parts) {
  Given given;
  if (parts.empty() || parts.size() > 2) return std::nullopt;
  const bool quoted = parts[0].size() > 2 && parts[0].front() == '\'' && parts[0].back() == '\'';
  if (quoted)
    given.text = parts[0].substr(1, parts[0].size() - 2);
  else if (const auto character = plain_number(parts[0]); !character)
    given.text = parts[0];
  else if (*character < 128)
    given.text = std::string(1, static_cast<char>(*character));
  else
    return std::nullopt;
  if (parts.size() == 2 && !(given.from = plain_number(parts[1]))) return std::nullopt;
  return given;
}

constexpr Integer no_position = (Integer{1} << 64) - 1;

Integer byte_position(std::size_t found) {
  return found == std::string_view::npos ? no_position : static_cast<Integer>(found);
}

std::optional<Integer> compared(std::string_view text, const std::vector<std::string_view>& parts) {
  std::string_view with = parts.back();
  if (with.size() > 2 && with.front() == '\'' && with.back() == '\'')
    with = with.substr(1, with.size() - 2);
  if (parts.size() != 1 && parts.size() != 3) return std::nullopt;
  if (parts.size() == 3) {
    const auto from = plain_number(parts[0]), count = plain_number(parts[1]);
    if (!from || !count || *from > static_cast<Integer>(text.size())) return std::nullopt;
    const Integer rest = static_cast<Integer>(text.size()) - *from;
    text = text.substr(static_cast<std::size_t>(*from),
                       static_cast<std::size_t>(std::min(*count, rest)));
  }
  const int order = text.compare(with);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

} // namespace

namespace {

/// Does what `substr(7).` says and takes it off the question.
bool cut(std::string_view& text, std::string_view& question) {
  constexpr std::string_view cutting = "substr(";
  while (question.starts_with(cutting)) {
    const std::size_t close = question.find(").");
    if (close == std::string_view::npos) return false;
    const auto parts = parts_of(question.substr(cutting.size(), close - cutting.size()));
    const auto from = plain_number(parts[0]);
    const auto count = parts.size() == 2 ? plain_number(parts[1]) : no_position;
    if (parts.size() > 2 || !from || !count || *from > static_cast<Integer>(text.size()))
      return false;
    text.remove_prefix(static_cast<std::size_t>(*from));
    if (*count < static_cast<Integer>(text.size()))
      text = text.substr(0, static_cast<std::size_t>(*count));
    question.remove_prefix(close + 2);
  }
  return true;
}

} // namespace

std::optional<std::string> byte_changed_text(std::string_view text, std::string_view question) {
  const bool changes = question.starts_with("substr(");
  if (!changes || !cut(text, question) || question != "text") return std::nullopt;
  return std::string(text);
}

std::optional<Integer> byte_text_fact(std::string_view text, std::string_view question) {
  if (!cut(text, question)) return std::nullopt;
  const std::size_t open = question.find('(');
  const std::string_view name = question.substr(0, open);
  if (open == std::string_view::npos) {
    if (name != "back" || text.empty()) return std::nullopt;
    return static_cast<signed char>(text.back());
  }
  if (!question.ends_with(')')) return std::nullopt;
  const auto parts = parts_of(question.substr(open + 1, question.size() - open - 2));
  if (name == "compare") return compared(text, parts);
  if (name == "at") {
    const auto at = parts.size() == 1 ? plain_number(parts[0]) : std::nullopt;
    const auto size = static_cast<Integer>(text.size());
    if (!at || *at > size) return std::nullopt;
    return *at == size ? 0 : static_cast<signed char>(text[static_cast<std::size_t>(*at)]);
  }
  const auto given = searched(parts);
  if (!given) return std::nullopt;
  const std::string& wanted = *given->text;
  if (!given->from) {
    if (name == "starts_with") return text.starts_with(wanted) ? 1 : 0;
    if (name == "ends_with") return text.ends_with(wanted) ? 1 : 0;
    if (name == "contains") return text.find(wanted) != std::string_view::npos ? 1 : 0;
  }
  const bool backwards = name == "rfind" || name.starts_with("find_last");
  const std::size_t from = !given->from ? (backwards ? std::string_view::npos : 0)
                                        : static_cast<std::size_t>(*given->from);
  if (name == "find") return byte_position(text.find(wanted, from));
  if (name == "rfind") return byte_position(text.rfind(wanted, from));
  if (name == "find_first_of") return byte_position(text.find_first_of(wanted, from));
  if (name == "find_last_of") return byte_position(text.find_last_of(wanted, from));
  if (name == "find_first_not_of") return byte_position(text.find_first_not_of(wanted, from));
  if (name == "find_last_not_of") return byte_position(text.find_last_not_of(wanted, from));
  return std::nullopt;
}

std::optional<std::string> changed_text(std::string_view text, std::string_view question) {
  if (!question.ends_with("().text")) return std::nullopt;
  std::u16string units = utf16(text);
  if (!change(units, question) || !is_ascii(units)) return std::nullopt;
  return std::string(units.begin(), units.end());
}

Integer text_hash(std::string_view text) {
  std::uint32_t hash = 0;
  for (const char16_t unit : utf16(text)) hash = hash * 31 + unit;
  return static_cast<std::int32_t>(hash);
}

} // namespace tacit
