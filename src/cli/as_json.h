// Answers for other programs: what `--as json` prints for inspect, replay and diff.
#pragma once

#include <string>

#include "interface/diff.h"
#include "interface/replay.h"
#include "program/ir/module.h"

namespace tacit {

std::string inspect_json(const Module& module);
std::string replay_json(const ReplayReport& report);
std::string diff_json(const DiffReport& report);

} // namespace tacit
