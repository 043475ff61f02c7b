// The script and the style sheet of the explorer, explorer.js and explorer.css, put into the
// program by the build.
#pragma once

#include <string_view>

namespace tacit {

struct ExplorerAsset {
  std::string_view text;
  std::string_view sha256; // of the text, in hexadecimal digits
};

extern const ExplorerAsset explorer_script, explorer_style;

} // namespace tacit
