// What the readers of text.h share: a place in the text, and names that may be
// quoted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace tacit {

/// The name as the text format writes it: bare if that is safe, else in quotes.
std::string quote_if_needed(std::string_view name);

/// In quotes, with the escapes \" \\ and \n.
std::string quote(std::string_view name);

/// A position that moves forward through a text and knows its line and column.
class Scanner {
public:
  Scanner(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  bool at_end() const { return next_ == text_.size(); }
  /// The next character, '\0' at the end.
  char peek() const { return at_end() ? '\0' : text_[next_]; }
  bool looking_at(std::string_view what) const { return text_.substr(next_).starts_with(what); }
  char advance();

  /// Skips spaces and tabs, but no line end.
  void skip_blanks();
  void skip_line();

  Location here() const { return {file_, line_, column_}; }
  /// What stands here, for the second half of "expected …, found …".
  std::string found() const;

  /// A maximal run of characters that need no quotes; may be empty.
  std::string_view bare_name();

  enum class Quotes { OneLine, ManyLines };
  /// Requires peek() == '"'. With OneLine, a line end or an escape other than
  /// \" \\ and \n is an error; with ManyLines, such things stand for themselves.
  Result<std::string> quoted(Quotes quotes);

private:
  std::string_view text_;
  std::string file_;
  std::size_t next_ = 0;
  int line_ = 1;
  int column_ = 1;
};

} // namespace tacit
