// A person who does not want to wait any longer: all budgets that exist then are exhausted, so that
// whoever searches ends with what it has. Budgets that are made later are not: what was found is
// still checked and written.
#pragma once

#include <chrono>

namespace tacit {

/// May be called in a signal handler.
void interrupt_budgets() noexcept;

/// Whether that was done at this time or later.
bool interrupted_since(std::chrono::steady_clock::time_point start) noexcept;

/// From now on the first SIGINT and the first SIGTERM interrupt budgets; the second ends the
/// program.
void interrupt_on_signals();

} // namespace tacit
