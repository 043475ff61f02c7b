#include "automata/scanner.h"

namespace tacit {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

bool is_bare(char c) {
  return !is_blank(c) && c != '\n' &&
         std::string_view("\"\\#:>[]").find(c) == std::string_view::npos;
}

} // namespace

std::string quote(std::string_view name) {
  std::string text = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return text + '"';
}

std::string quote_if_needed(std::string_view name) {
  bool bare = !name.empty() && name != "-" && name != "letters" && name != "entries";
  for (char c : name) bare = bare && is_bare(c);
  return bare ? std::string(name) : quote(name);
}

char Scanner::advance() {
  const char c = text_[next_++];
  if (c == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
  return c;
}

void Scanner::skip_blanks() {
  while (!at_end() && is_blank(peek())) advance();
}

void Scanner::skip_line() {
  while (!at_end() && advance() != '\n') {
  }
}

std::string Scanner::found() const {
  if (at_end()) return "the end of the file";
  if (peek() == '\n') return "the end of the line";
  return fmt::format("'{}'", peek());
}

std::string_view Scanner::bare_name() {
  const std::size_t begin = next_;
  while (!at_end() && is_bare(peek())) advance();
  return text_.substr(begin, next_ - begin);
}

Result<std::string> Scanner::quoted(Quotes quotes) {
  const Location begin = here();
  std::string text;
  advance();
  while (!at_end() && peek() != '"') {
    if (peek() == '\n' && quotes == Quotes::OneLine) break;
    if (peek() != '\\') {
      text += advance();
      continue;
    }
    const Location escape = here();
    advance();
    if (peek() == '"' || peek() == '\\')
      text += advance();
    else if (peek() == 'n')
      advance(), text += '\n';
    else if (quotes == Quotes::OneLine)
      return fail(escape, "expected \\\", \\\\ or \\n after the backslash, found {}", found());
    else
      text += '\\';
  }
  if (peek() != '"') return fail(begin, "expected a closing quote, found {}", found());
  advance();
  return text;
}

} // namespace tacit
