// Answers for other programs: what `--as json` prints for inspect, replay and diff.
#pragma once

#include <string>

#include "interface/diff.h"
#include "interface/intended.h"
#include "interface/replay.h"
#include "program/ir/module.h"

namespace tacit {

std::string inspect_json(const Module& module);
std::string replay_json(const ReplayReport& report);
std::string diff_json(const DiffReport& report);
std::string intended_json(const IntendedReport& report);

} // namespace tacit
