#include "export/picture_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "export/layout.h"
#include "interface/source_words.h"
#include "interface/utf8.h"

namespace tacit {

namespace {

constexpr std::size_t condition_room = 2, update_room = 1; // lines of a letter

/// Pieces that end in what joins them to the next one, packed into lines.
std::vector<std::string> packed(const std::vector<std::string>& pieces, std::size_t width,
                                std::size_t most) {
  std::vector<std::string> lines;
  const auto put = [&](const std::string& part) {
    if (!lines.empty() && utf8_width(lines.back()) + 1 + utf8_width(part) <= width)
      lines.back() += " " + part;
    else if (lines.size() < most)
      lines.push_back(part);
    else
      return false;
    return true;
  };
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (utf8_width(pieces[i]) <= width) {
      if (put(pieces[i])) continue;
      lines.back() += fmt::format(" … {} more", pieces.size() - i);
      break;
    }
    const std::string text = wrap(pieces[i], width, "", 0);
    bool all = true;
    for (std::size_t at = 0; all && at < text.size(); at = text.find('\n', at) + 1)
      all = put(shorten(text.substr(at, text.find('\n', at) - at), width));
    if (all) continue;
    lines.back() += " …";
    if (i + 1 < pieces.size()) lines.back() += fmt::format(" {} more", pieces.size() - i - 1);
    break;
  }
  return lines;
}

/// At commas outside of brackets and texts.
std::vector<std::string> items_of(std::string_view text) {
  std::vector<std::string> items{""};
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '(' || c == '[')) ++depth;
    if (!quoted && (c == ')' || c == ']')) --depth;
    items.back() += c;
    if (c != ',' || quoted || depth > 0 || i + 1 >= text.size() || text[i + 1] != ' ') continue;
    items.emplace_back();
    ++i;
  }
  return items;
}

} // namespace

std::vector<std::string> condition_lines(const std::string& condition, std::size_t width,
                                         std::size_t most) {
  std::vector<std::string> pieces;
  const auto all = alternatives_of(condition);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all[i].size(); ++k) {
      const bool last = k + 1 == all[i].size();
      pieces.push_back(all[i][k] + (!last ? " &&" : i + 1 < all.size() ? " ||" : ""));
    }
  return packed(pieces, width, most);
}

std::vector<std::string> letter_lines(const std::string& letter, std::size_t width) {
  if (utf8_width(letter) <= width) return {letter};
  const std::size_t when = letter.find(" when "), set = letter.find(" / ");
  std::string call = letter.substr(0, std::min(when, set));
  std::vector<std::string> lines{shorten(call, 2 * width)};
  if (when < set) {
    const std::size_t from = when + 6;
    auto guard = condition_lines(letter.substr(from, set == std::string::npos ? set : set - from),
                                 width, condition_room);
    guard[0] = "when " + guard[0];
    lines.insert(lines.end(), guard.begin(), guard.end());
  }
  if (set != std::string::npos) {
    auto updates = packed(items_of(std::string_view(letter).substr(set + 3)), width, update_room);
    updates[0] = "/ " + updates[0];
    lines.insert(lines.end(), updates.begin(), updates.end());
  }
  return lines;
}

} // namespace tacit
