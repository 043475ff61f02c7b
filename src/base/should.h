// Broken invariants of our own code.
//
// `should(index < size(), "the index should name a state")` documents what holds
// and stops the run when it does not. It is never the answer to bad input
// (base/diagnostic.h). Nobody catches InternalError but main, which exits with 4.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string_view>

namespace tacit {

/// what() reads "file:line: what".
class InternalError : public std::logic_error {
public:
  InternalError(std::string_view what, const std::source_location& where);
};

[[noreturn]] void
should_not_be_reached(std::string_view what,
                      std::source_location where = std::source_location::current());

/// Throws InternalError unless the condition holds. `what` says in words what should be true.
inline void should(bool condition, std::string_view what,
                   std::source_location where = std::source_location::current()) {
  if (!condition) [[unlikely]]
    should_not_be_reached(what, where);
}

} // namespace tacit
