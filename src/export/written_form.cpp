#include "export/written_form.h"

#include <algorithm>
#include <string>

#include "export/diagram.h"
#include "export/dot.h"
#include "export/formal.h"
#include "export/html.h"
#include "export/review.h"
#include "export/svg.h"
#include "export/text.h"
#include "interface/json.h"

namespace tacit {
namespace {

/// Most forms are a function from a result to a text.
template <std::string (*show)(const Interface&)>
void whole(std::ostream& out, const Interface& interface, const ShowContext&) {
  out << show(interface);
}

constexpr WrittenForm forms[] = {
    {"text", "for reading in a terminal", whole<[](const Interface& i) { return show_text(i); }>},
    {"review", "what a reviewer would stop at",
     whole<[](const Interface& i) { return show_review(i); }>},
    {"html", "a page to explore it in a browser",
     [](std::ostream& out, const Interface& i, const ShowContext& context) {
       write_html(out, i, {.sources = context.sources});
     }},
    {"svg", "a picture", whole<[](const Interface& i) { return show_svg(i); }>},
    {"dot", "a graph for Graphviz and LearnLib",
     whole<[](const Interface& i) { return show_dot(i); }>},
    {"mermaid", "a Mermaid state diagram",
     whole<[](const Interface& i) { return show_mermaid(i); }>},
    {"plantuml", "a PlantUML state diagram",
     whole<[](const Interface& i) { return show_plantuml(i); }>},
    {"markdown", "a section for a library's documentation",
     whole<[](const Interface& i) { return show_markdown(i); }>},
    {"aut", "an Aldebaran transition system",
     whole<[](const Interface& i) { return show_aut(i); }>},
    {"hoa", "a Hanoi automaton", whole<[](const Interface& i) { return show_hoa(i); }>},
    {"scxml", "a W3C state chart", whole<[](const Interface& i) { return show_scxml(i); }>},
    {"json", "the result file itself, in canonical layout",
     [](std::ostream& out, const Interface& i, const ShowContext&) { write_interface(out, i); }},
};

} // namespace

std::span<const WrittenForm> written_forms() { return forms; }

const WrittenForm* find_written_form(std::string_view name) {
  const auto form = std::ranges::find(forms, name, &WrittenForm::name);
  return form == std::end(forms) ? nullptr : form;
}

} // namespace tacit
