// A scan as something to browse: a table of all components, a summary for a pull request, and what
// is worth a look for tools that read SARIF.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scan/record.h"

namespace tacit {

/// What is worth a look comes first: findings, then proved protocols with several states, then
/// others; last what has no protocol.
void rank(std::vector<TaskRecord>& records);

/// How many of each status, as in "12 proved, 3 open".
std::string tally(const std::vector<TaskRecord>& records);

/// Writes FOLDER/index.html, summary.md and findings.sarif. `left`: sources without a task, and
/// why.
Result<void> write_site(const std::string& folder, std::vector<TaskRecord> records,
                        const std::vector<std::pair<std::string, std::string>>& left);

/// What changed between two scans, protocol by protocol; "" when nothing did.
Result<std::string> compare_scans(const std::string& older, const std::string& newer);

} // namespace tacit
