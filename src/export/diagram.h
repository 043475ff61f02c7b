// Diagrams as text for documentation: Mermaid and PlantUML state diagrams, and a Markdown section.
// Parallel transitions are merged. Names are escaped so that neither language sees anything in them
// but text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "interface/interface.h"

namespace tacit {

std::string show_mermaid(const Interface& interface);
std::string show_plantuml(const Interface& interface);

/// States, a table of calls, a picture, and the rules in sentences.
std::string show_markdown(const Interface& interface);

/// One sentence per call: "sign: only after initSign, until initVerify". Empty for a call that is
/// always allowed. A rule that the automaton does not have exactly in this shape names the states.
struct CallRule {
  std::string call;
  std::string sentence;
};
/// `name` writes the names inside the sentences.
using NameWriter = std::function<std::string(std::string_view)>;
std::vector<CallRule> call_rules(const Interface& interface, const NameWriter& name);

/// A name as code in Markdown, also in a table.
std::string markdown_code(std::string_view text, std::size_t width = 80);

} // namespace tacit
