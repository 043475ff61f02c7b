// SHA-256 (FIPS 180-4): a fingerprint of the files that a result was made from.
#pragma once

#include <string>
#include <string_view>

namespace tacit {

/// In hexadecimal digits.
std::string sha256(std::string_view bytes);

} // namespace tacit
