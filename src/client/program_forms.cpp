#include "client/program_forms.h"

#include <algorithm>

namespace tacit {

namespace {

constexpr ProgramForm forms[] = {
    {"tir", "the component that is the interface, as .tir", show_program_tir},
    {"c", "the same in C", show_program_c},
    {"typestate", "a C++20 header in which illegal calls do not compile", show_typestate},
};

} // namespace

std::span<const ProgramForm> program_forms() { return forms; }

const ProgramForm* find_program_form(std::string_view name) {
  const auto form = std::ranges::find(forms, name, &ProgramForm::name);
  return form == std::end(forms) ? nullptr : form;
}

} // namespace tacit
