// From "what counts as an error" to `error` terminators. Runs after inlining, so that only what
// leaves a call is seen; only `reach:F` needs a step before it, while there are still calls to see.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

/// One error specification (docs/semantics.md): `assert`, `throws:T@site`, `METHOD=returns:COND`,
/// `reach:F`, `state:COND`, `error:NAME`.
struct ErrorSpec {
  enum class Kind { Assert, Throws, Returns, Reach, InState, Named };
  Kind kind = Kind::Named;
  std::string text;      // as the user wrote it
  std::string subject;   // exception, function or error name; "*" for any
  std::string site;      // Throws: Class.method or file:line, empty for any
  std::string method;    // Returns: one method, empty for all
  std::string condition; // Returns, State
};

Result<ErrorSpec> parse_error_spec(const std::string& text);

/// Before inlining: every call of `function` by own code becomes `error reach:FUNCTION`, which a
/// Reach spec then counts. Returns the number of calls.
std::size_t mark_reached(Module& module, const std::string& function);

/// Rewrites methods and constructors so that exactly the errors of `specs` are `error` terminators,
/// named by the spec's text (for Named and Assert: by the error's own name). Other `error`
/// terminators become blocked runs and are reported in the returned notes. An empty list means:
/// every `error` statement counts. A spec that names an exception, a method, a return value or an
/// `error` that the module does not have fails.
Result<std::vector<std::string>>
instrument_errors(Module& module, const std::vector<ErrorSpec>& specs, bool translated_errors);

/// A constructor that returns what the spec (Returns) says has made no object: such runs are
/// blocked. Returns whether there is one that might.
bool block_failed_constructors(Module& module, const ErrorSpec& spec);

} // namespace tacit
