// The little that results need to know about UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit {

/// The number of bytes of the well-formed sequence at `at`, or 0 when there is none (stray and
/// truncated bytes, overlong forms, surrogates, beyond U+10FFFF). Requires at < text.size().
inline std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return follows(1) ? 2 : 0;
  if (lead < 0xf0) {
    if (!follows(1) || !follows(2)) return 0;
    if (lead == 0xe0 && byte(1) < 0xa0) return 0; // overlong
    if (lead == 0xed && byte(1) > 0x9f) return 0; // a surrogate
    return 3;
  }
  if (lead < 0xf5) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    if (lead == 0xf0 && byte(1) < 0x90) return 0; // overlong
    if (lead == 0xf4 && byte(1) > 0x8f) return 0; // beyond U+10FFFF
    return 4;
  }
  return 0;
}

inline void append_utf8(std::string& text, char32_t c) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6), put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18), put(0x80 | (c >> 12 & 0x3f)), put(0x80 | (c >> 6 & 0x3f)),
        put(0x80 | (c & 0x3f));
  }
}

/// Columns in a terminal, taking every code point for one.
inline std::size_t utf8_width(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
  return width;
}

} // namespace tacit
