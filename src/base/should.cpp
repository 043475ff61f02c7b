#include "base/should.h"

#include <fmt/format.h>

namespace tacit {

InternalError::InternalError(std::string_view what, const std::source_location& where)
    : std::logic_error(fmt::format("{}:{}: {}", where.file_name(), where.line(), what)) {}

void should_not_be_reached(std::string_view what, std::source_location where) {
  throw InternalError(what, where);
}

} // namespace tacit
