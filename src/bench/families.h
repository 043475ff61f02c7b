// Parametric components of "Algorithms for Interface Synthesis": the scaled Java classes of section
// 5 and three families that separate the algorithms as those of section 4 do.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tacit {

struct Family {
  std::string name;
  std::string description;
  std::string favours; // the engine that should win
  std::string (*print)(unsigned k);
  unsigned max_k = 60;
};

const std::vector<Family>& families();
const Family* find_family(std::string_view name);

} // namespace tacit
