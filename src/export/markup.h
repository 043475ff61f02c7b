// Text as HTML and XML want it. Every name of a result goes through here before it is markup.
#pragma once

#include <string>
#include <string_view>

namespace tacit {

/// For text and for attribute values in double quotes. Characters that XML 1.0 does not have become
/// the replacement character.
std::string markup_text(std::string_view text);

} // namespace tacit
