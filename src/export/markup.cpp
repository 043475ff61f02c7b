#include "export/markup.h"

namespace tacit {

std::string markup_text(std::string_view text) {
  constexpr std::string_view replacement = "\xef\xbf\xbd";
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    switch (c) {
    case '&': result += "&amp;"; break;
    case '<': result += "&lt;"; break;
    case '>': result += "&gt;"; break;
    case '"': result += "&quot;"; break;
    case '\'': result += "&#39;"; break;
    case '\n':
    case '\t': result += c; break;
    case '\xef':
      // U+FFFE and U+FFFF are no characters.
      if (text.substr(i).starts_with("\xef\xbf\xbe") ||
          text.substr(i).starts_with("\xef\xbf\xbf")) {
        result += replacement;
        i += 2;
      } else {
        result += c;
      }
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
        result += replacement;
      else
        result += c;
    }
  }
  return result;
}

} // namespace tacit
