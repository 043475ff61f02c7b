#include "export/written_form.h"

#include <algorithm>
#include <string>

#include "export/dot.h"
#include "export/svg.h"
#include "export/text.h"
#include "interface/json.h"

namespace tacit {
namespace {

constexpr WrittenForm forms[] = {
    {"text", "for reading in a terminal",
     [](std::ostream& out, const Interface& i) { out << show_text(i); }},
    {"dot", "a graph for Graphviz",
     [](std::ostream& out, const Interface& i) { out << show_dot(i); }},
    {"svg", "a picture", [](std::ostream& out, const Interface& i) { out << show_svg(i); }},
    {"json", "the result file itself, in canonical layout", write_interface},
};

} // namespace

std::span<const WrittenForm> written_forms() { return forms; }

const WrittenForm* find_written_form(std::string_view name) {
  const auto form = std::ranges::find(forms, name, &WrittenForm::name);
  return form == std::end(forms) ? nullptr : form;
}

} // namespace tacit
