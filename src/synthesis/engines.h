// The table of engines, by name.
#pragma once

#include <string_view>
#include <vector>

#include "synthesis/protocol/engine.h"

namespace tacit {

const std::vector<Engine>& engines();
const Engine* find_engine(std::string_view name);

} // namespace tacit
