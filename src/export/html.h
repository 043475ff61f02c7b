// The explorer: one HTML file that shows a result, or two and what changed between them, in a
// browser. It loads nothing: script and style are inline and named by their hashes in a policy that
// forbids everything else. The tables are plain HTML and need no script; explorer.js adds hovering,
// replay and details, from a JSON block in the page.
//
// Every name of a result is escaped on its way into the page (export/markup.h), and the script
// writes text only.
#pragma once

#include <ostream>

#include "export/excerpt.h"
#include "interface/diff.h"
#include "interface/interface.h"

namespace tacit {

struct HtmlOptions {
  SourceLookup sources;          // without it there are excerpts of the lowered program only
  std::size_t max_states = 5000; // more are counted, not listed
};

void write_html(std::ostream& out, const Interface& interface, const HtmlOptions& options = {});

/// `report` is diff(older, newer).
void write_html_diff(std::ostream& out, const Interface& older, const Interface& newer,
                     const DiffReport& report, const HtmlOptions& options = {});

} // namespace tacit
