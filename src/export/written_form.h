// All forms in which a result can be written: `tacit show --as NAME`.
//
// A new form is a pair of files with a function and one line in written_form.cpp. The function must
// write the whole form to the stream and nothing else, end text with a newline, and give the same
// bytes for the same result. It may assume that the result has passed read_interface. Beware of
// results with a million states: summarise or stream.
#pragma once

#include <ostream>
#include <span>
#include <string_view>

#include "export/excerpt.h"
#include "interface/interface.h"

namespace tacit {

/// What a form may use besides the result.
struct ShowContext {
  SourceLookup sources; // may be empty
};

struct WrittenForm {
  std::string_view name;
  std::string_view description;
  void (*write)(std::ostream& out, const Interface& interface, const ShowContext& context);
};

/// In the order in which help shows them; the first is the default.
std::span<const WrittenForm> written_forms();

/// Null when there is none of this name.
const WrittenForm* find_written_form(std::string_view name);

} // namespace tacit
