// Verdicts on clients for people and for tools: text with the source quoted, SARIF 2.1.0, remarks
// in the source and baselines that say which findings do not count.
#pragma once

#include <ostream>
#include <set>
#include <string>

#include "client/conformance.h"

namespace tacit {

/// `// tacit-ignore-next-line: reason` before a refused call, as the source has it.
void apply_remarks(ClientReport& report);

/// What tells a violation from others whatever lines move: function, call, state, guard.
std::string fingerprint(const Interface& interface, const FunctionVerdict& verdict);

/// A baseline holds one fingerprint a line; `#` begins a comment.
std::set<std::string> read_baseline(const std::string& text);
void apply_baseline(const Interface& interface, ClientReport& report,
                    const std::set<std::string>& known);
std::string write_baseline(const Interface& interface, const ClientReport& report);

void write_client_text(std::ostream& out, const Interface& interface, const ClientReport& report);
void write_client_sarif(std::ostream& out, const Interface& interface, const ClientReport& report);

/// Violations that count.
bool has_violation(const ClientReport& report);
bool has_unknown(const ClientReport& report);

} // namespace tacit
