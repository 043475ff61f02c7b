// Removes calls: callees are copied into their callers. A callee that is recursive, or whose copy
// would make the caller larger than the limit, is replaced by its summary (effects.h) and reported.
#pragma once

#include <string>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

struct InlineLimits {
  std::size_t blocks = 20'000;        // of one procedure after inlining
  std::size_t callee_blocks = 20'000; // of a callee, its own callees included
};

struct InlineOptions {
  InlineLimits limits;
  /// Track failures of opaque callees: a throw of own code after one failed on the same path is
  /// that failure translated and is marked `environment` (see module.h), by way of a local flag.
  bool track_failures = true;
};

/// Inlines everything into methods and constructors; internal procedures and externs stay as they
/// are. Externs must have bodies. Returns notes such as "recursive call of f at x.c:12 is
/// summarised by its effects".
std::vector<std::string> inline_calls(Module& module, const InlineOptions& options = {});

} // namespace tacit
