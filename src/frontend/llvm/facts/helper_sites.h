// Lines of helpers that were put into their callers: for those who explain at which line of a
// called method an error is raised, and by which helper.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace llvm {
class Module;
}

namespace tacit {

struct HelperSite {
  std::string method;    // by its bare name, `walk`
  std::string site;      // `door.cpp:5`, in the helper
  std::string called_at; // `door.cpp:30`, in the method
  std::string helper;    // by its bare name, `require_open`

  auto operator<=>(const HelperSite&) const = default;
};

/// Sorted, each once: one method may come to a line in several ways.
std::vector<HelperSite> helper_sites(const llvm::Module& code);

} // namespace tacit
