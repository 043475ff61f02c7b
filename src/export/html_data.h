// The JSON block of the explorer: what explorer.js needs to know of one result.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "export/drawing.h"
#include "export/html.h"

namespace tacit {

/// One result of a page.
struct ExplorerSide {
  const Interface* interface = nullptr;
  std::string key;    // "", or "old" and "new" on a page with two
  std::string prefix; // before the ids of its elements
  Drawing drawing;
  bool drawn = false;                                     // there is a picture
  std::size_t states = 0;                                 // that the page knows; the first ones
  std::vector<std::pair<std::string, std::string>> marks; // element id, class
};

nlohmann::ordered_json explorer_data(const ExplorerSide& side, const HtmlOptions& options);

/// Safe inside a script element.
std::string script_json(const nlohmann::ordered_json& value);

} // namespace tacit
