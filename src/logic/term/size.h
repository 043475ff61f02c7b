// How large a term is.
#pragma once

#include <cstddef>

#include "logic/term/term.h"

namespace tacit {

/// The number of its distinct subterms, itself included.
std::size_t distinct_subterms(Term term);

} // namespace tacit
