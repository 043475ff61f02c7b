// Requires clauses and invariants in the text of C, C++ and Java sources:
//
//   // @requires state == OPEN && n > 0            a comment before the method, also /** … */
//   [[clang::annotate("requires: state == OPEN")]] an attribute (or __attribute__((annotate(…))))
//   // @ensures count == old(count) + 1            likewise: what the method does, in place of its
//   body
//   // @invariant used <= capacity                 in the class
//
// Conditions are expressions as in .tir over fields and parameters. `this->x` and `this.x` are `x`,
// `p->x` is `p.x`, NULL and nullptr are null, `Mode::OPEN` is OPEN. A clause belongs to the method
// whose declaration follows it (or, for an attribute, stands before it in the same declaration).
// Text is what is read: macros are not expanded.
#pragma once

#include <string>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

struct SourceText {
  std::string file, text;
};

/// Adds what the texts say about the module's methods, constructors and class. Clauses of other
/// methods and classes are passed over. Fails, with file and line, on a condition that cannot be
/// read.
Result<void> add_source_clauses(Module& module, const std::vector<SourceText>& texts);

} // namespace tacit
