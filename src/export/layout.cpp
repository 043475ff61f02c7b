#include "export/layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "interface/utf8.h"

namespace tacit {

std::string wrap_items(const std::vector<std::string>& items, std::string_view separator,
                       std::size_t width, std::string_view first, std::size_t hang) {
  std::string text(first);
  std::size_t column = utf8_width(first);
  bool at_start = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? std::string(separator) : "");
    const std::size_t needed = utf8_width(item) + (at_start ? 0 : 1);
    if (!at_start && column + needed > width) {
      text += "\n" + std::string(hang, ' ');
      column = hang;
      at_start = true;
    }
    if (!at_start) text += ' ', ++column;
    text += item;
    column += utf8_width(item);
    at_start = false;
  }
  return text + "\n";
}

std::string wrap(std::string_view text, std::size_t width, std::string_view first,
                 std::size_t hang) {
  constexpr std::string_view blanks = " \n\t\r";
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(blanks, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return wrap_items(words, "", width, first, hang);
}

std::string shorten(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t columns = 0;
  const bool cut = utf8_width(text) > width;
  const std::size_t room = cut && width > 0 ? width - 1 : width;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0u) != 0x80u && ++columns > room) break;
    result += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  return cut ? result + "…" : result;
}

std::string enumerate(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

std::string numbers_text(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    const bool range = end - i > 2;
    if (!range) end = i + 1;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[i]);
    if (range) text += fmt::format("–{}", numbers[end - 1]);
    i = end;
  }
  return text;
}

std::string count_of(std::size_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

} // namespace tacit
