#include "logic/term/lexer.h"

#include <array>
#include <cctype>

namespace tacit {
namespace {

// Longest first.
constexpr std::array<std::string_view, 10> long_symbols = {
    ":=", "=>", "==", "!=", "<=", ">=", "&&", "||", "..", "->"};
constexpr std::string_view short_symbols = "(){}[]<>!+-*/%?:;,=|.";

bool name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '~';
}
bool name_part(char c) { return name_start(c) || std::isdigit(static_cast<unsigned char>(c)); }

class Tokeniser {
public:
  Tokeniser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<std::vector<Token>> run() {
    while (true) {
      if (auto skipped = skip(); !skipped) return std::unexpected(skipped.error());
      if (at_ >= text_.size()) break;
      if (auto token = next(); !token) return std::unexpected(token.error());
    }
    tokens_.push_back({TokenKind::End, "", line_, column_});
    return std::move(tokens_);
  }

private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  char advance() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
    return c;
  }

  Result<void> skip() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(peek()))) {
        advance();
      } else if (peek() == '/' && peek(1) == '/') {
        while (at_ < text_.size() && peek() != '\n') advance();
      } else if (peek() == '/' && peek(1) == '*') {
        const Location start{file_, line_, column_};
        advance();
        advance();
        while (!(peek() == '*' && peek(1) == '/')) {
          if (at_ >= text_.size()) return fail(start, "this comment is never closed");
          advance();
        }
        advance();
        advance();
      } else {
        break;
      }
    }
    return {};
  }

  void push(TokenKind kind, std::string text, int line, int column) {
    tokens_.push_back({kind, std::move(text), line, column});
  }

  Result<void> next() {
    const int line = line_, column = column_;
    const char c = peek();
    if (name_start(c)) {
      std::string text;
      const auto scoped = [&] { return peek() == ':' && peek(1) == ':' && name_start(peek(2)); };
      while (name_part(peek()) || (peek() == '.' && name_part(peek(1))) || scoped()) {
        if (scoped()) text += advance();
        text += advance();
      }
      push(TokenKind::Name, std::move(text), line, column);
      return {};
    }
    if (std::isdigit(static_cast<unsigned char>(c))) {
      std::string text;
      while (name_part(peek())) text += advance();
      push(TokenKind::Number, std::move(text), line, column);
      return {};
    }
    if (c == '`' || c == '"') return quoted(c, line, column);
    if (c == '@') return mark(line, column);
    for (std::string_view s : long_symbols) {
      if (text_.substr(at_, s.size()) == s) {
        advance();
        advance();
        push(TokenKind::Symbol, std::string(s), line, column);
        return {};
      }
    }
    if (short_symbols.find(c) != std::string_view::npos) {
      push(TokenKind::Symbol, std::string(1, advance()), line, column);
      return {};
    }
    if (std::isprint(static_cast<unsigned char>(c)))
      return fail(Location{file_, line, column}, "stray character '{}'", c);
    return fail(Location{file_, line, column}, "stray byte 0x{:02x}",
                static_cast<unsigned char>(c));
  }

  Result<void> quoted(char quote, int line, int column) {
    advance();
    std::string text;
    while (peek() != quote) {
      if (at_ >= text_.size() || peek() == '\n')
        return fail(Location{file_, line, column}, "this {} is never closed",
                    quote == '"' ? "string" : "quoted name");
      if (peek() == '\\') {
        advance();
        const char escaped = at_ < text_.size() ? advance() : '\\';
        text += escaped == 'n' ? '\n' : escaped;
      } else {
        text += advance();
      }
    }
    advance();
    push(quote == '"' ? TokenKind::String : TokenKind::Name, std::move(text), line, column);
    tokens_.back().quoted = quote == '`';
    return {};
  }

  // @file:line, the file as it is up to a blank, ';' or ','; quoted when it has one of those.
  Result<void> mark(int line, int column) {
    advance();
    std::string text;
    if (peek() == '"') {
      if (auto q = quoted('"', line, column); !q) return q;
      text = tokens_.back().text;
      tokens_.pop_back();
    }
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(peek())) &&
           peek() != ';' && peek() != ',')
      text += advance();
    push(TokenKind::Mark, std::move(text), line, column);
    return {};
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  std::vector<Token> tokens_;
};

} // namespace

Result<std::vector<Token>> tokenise(std::string_view text, const std::string& file) {
  return Tokeniser(text, file).run();
}

const Token& TokenStream::peek(std::size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

const Token& TokenStream::take() {
  const Token& token = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool TokenStream::at(std::string_view text, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return (token.kind == TokenKind::Symbol || token.kind == TokenKind::Name) && !token.quoted &&
         token.text == text;
}

bool TokenStream::take_if(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

Result<Token> TokenStream::expect(std::string_view text) {
  if (!at(text)) return std::unexpected(unexpected("'" + std::string(text) + "'"));
  return take();
}

Result<Token> TokenStream::expect_name(std::string_view what) {
  if (peek().kind != TokenKind::Name) return std::unexpected(unexpected(what));
  return take();
}

Diagnostic TokenStream::unexpected(std::string_view what) const {
  return {here(), "expected " + std::string(what) + ", found " + describe(peek()), {}};
}

std::string describe(const Token& token) {
  if (token.kind == TokenKind::End) return "the end of the text";
  std::string text = token.text.size() > 40 ? token.text.substr(0, 40) + "…" : token.text;
  if (token.kind == TokenKind::Mark) return "'@" + text + "'";
  return "'" + text + "'";
}

} // namespace tacit
