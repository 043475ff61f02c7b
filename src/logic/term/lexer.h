// Tokens shared by expressions (parse.h) and the program text form (program/text/read.h).
//
// Names are identifiers with dots and dollar signs inside (`Node.next`, `List.get`,
// `ArrayList$Itr`) or anything between backquotes. `//` and `/* */` comments are skipped. A
// location mark `@file:line` is one token.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace tacit {

enum class TokenKind { Name, Number, String, Symbol, Mark, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text; // unquoted
  int line = 1;
  int column = 1;
  bool quoted = false; // Name: it stood between backquotes, and is no word of the language
};

/// Splits the whole text; the last token is End. Fails on a stray character, an unclosed quote or
/// comment.
Result<std::vector<Token>> tokenise(std::string_view text, const std::string& file);

/// A cursor over tokens with the error messages every reader needs.
class TokenStream {
public:
  TokenStream(std::vector<Token> tokens, std::string file)
      : tokens_(std::move(tokens)), file_(std::move(file)) {}

  const Token& peek(std::size_t ahead = 0) const;
  const Token& take();
  /// A name between backquotes is never a word.
  bool at(std::string_view symbol_or_word, std::size_t ahead = 0) const;
  bool take_if(std::string_view symbol_or_word);
  Result<Token> expect(std::string_view symbol_or_word);
  Result<Token> expect_name(std::string_view what);
  bool at_end() const { return peek().kind == TokenKind::End; }
  Location here() const { return where(peek()); }
  Location where(const Token& token) const { return {file_, token.line, token.column}; }
  const std::string& file() const { return file_; }
  std::size_t position() const { return position_; }
  void rewind(std::size_t position) { position_ = position; }
  /// "expected WHAT, found 'x'".
  Diagnostic unexpected(std::string_view what) const;

private:
  std::vector<Token> tokens_;
  std::string file_;
  std::size_t position_ = 0;
};

/// How a token is named in messages: "'foo'", "end of text".
std::string describe(const Token& token);

} // namespace tacit
