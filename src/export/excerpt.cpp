#include "export/excerpt.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "export/layout.h"

namespace tacit {
namespace {

constexpr std::size_t around = 4;        // lines before and after
constexpr std::size_t widest_line = 240; // columns

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

struct Place {
  std::string file;
  std::size_t line = 0;
};

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Place> line_of(const std::string& at) {
  const std::size_t last = at.rfind(':');
  if (last == std::string::npos || last == 0) return std::nullopt;
  const auto tail = number(std::string_view(at).substr(last + 1));
  if (!tail) return std::nullopt;
  if (const std::size_t before = at.rfind(':', last - 1); before != std::string::npos && before > 0)
    if (const auto line = number(std::string_view(at).substr(before + 1, last - before - 1)))
      return Place{at.substr(0, before), *line};
  return Place{at.substr(0, last), *tail};
}

void cut(Excerpt& excerpt, const std::vector<std::string>& lines, std::size_t line) {
  excerpt.line = line;
  excerpt.first = line > around ? line - around : 1;
  for (std::size_t n = excerpt.first; n <= std::min(line + around, lines.size()); ++n)
    excerpt.lines.push_back(shorten(lines[n - 1], widest_line));
}

} // namespace

std::optional<Excerpt> Excerpts::find(const std::string& at) {
  const auto place = line_of(at);
  if (!place || place->line == 0) return std::nullopt;
  const auto [entry, added] = files_.try_emplace(place->file);
  if (added && lookup_)
    if (auto found = lookup_(interface_, place->file))
      entry->second = Source{found->path, lines_of(found->text)};
  Excerpt excerpt;
  if (const auto& source = entry->second) {
    if (place->line <= source->lines.size()) {
      excerpt.note = fmt::format("{}, as it was when this page was made:", source->path);
      cut(excerpt, source->lines, place->line);
      return excerpt;
    }
    excerpt.note = fmt::format("{} has no line {}: it is not the file that was analysed.",
                               source->path, place->line);
  } else {
    excerpt.note = fmt::format("{} was not found when this page was made.", place->file);
  }
  if (!program_) program_ = lines_of(interface_.tir);
  const std::string mark = "@" + at;
  for (std::size_t n = 0; n < program_->size(); ++n) {
    const std::string& line = (*program_)[n];
    const std::size_t found = line.find(mark);
    if (found == std::string::npos) continue;
    const std::size_t end = found + mark.size();
    if (end < line.size() && line[end] != ';' && line[end] != ' ') continue;
    excerpt.note += " The program it was lowered to:";
    cut(excerpt, *program_, n + 1);
    break;
  }
  return excerpt;
}

} // namespace tacit
