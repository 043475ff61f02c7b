// Files that results go to. A file appears whole or not at all; whether it can be written is asked
// before the work whose result it is to hold.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace tacit {

/// Fails when nothing could be written there, or when it is one of `inputs`.
Result<void> check_output(const std::string& path, const std::vector<std::string>& inputs = {});

/// Writes beside the file and moves it there. Devices and pipes are written in place.
Result<void> write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

} // namespace tacit
