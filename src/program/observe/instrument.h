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
/// The error of calling a component that ended: it counts always, whatever is specified
/// (docs/semantics.md 2.8).
inline constexpr const char* used_after_free = "used after free";

struct ErrorSpec {
  enum class Kind { Assert, Throws, Returns, Reach, InState, Named };
  Kind kind = Kind::Named;
  std::string text;      // as the user wrote it
  std::string subject;   // exception, function or error name; "*" for any
  std::string site;      // Throws: Class.method or file:line, empty for any
  std::string method;    // Returns: one method, or several by a wildcard; empty for all
  std::string condition; // Returns, State

  /// Returns: whether the spec is about this method.
  bool concerns(std::string_view name) const;
};

Result<ErrorSpec> parse_error_spec(const std::string& text);

/// Before inlining: every call of `function` by own code becomes `error reach:FUNCTION`, which a
/// Reach spec then counts. Returns the number of calls.
std::size_t mark_reached(Module& module, const std::string& function);

/// A place where a call may err that does not count (docs/semantics.md 2.13): 'call@file:line'.
struct AsideSite {
  std::string call; // full or bare name
  std::string site;
};
Result<AsideSite> parse_aside(const std::string& text);

struct InstrumentOptions {
  bool translated_errors = false;
  std::vector<AsideSite> aside;
  std::vector<Term> origins; // per spec, or empty: what `watch_origins` made
};

struct Instrumented {
  std::vector<std::string> notes;
  /// Specs that nothing in the program can satisfy, each with what it could have meant.
  std::vector<std::string> unmatched;
};

/// Rewrites methods and constructors so that exactly the errors of `specs` are `error` terminators,
/// named by the spec's text (for Named and Assert: by the error's own name). Other `error`
/// terminators become blocked runs and are reported in the notes. An empty list means: every
/// `error` statement counts. At a site that is set aside a throw or return stays what it is, and an
/// `error` ends the run. A spec that names an exception, a method, a return value or an `error`
/// that the module does not have fails, and so does a site to set aside where the call cannot err.
Result<Instrumented> instrument_errors(Module& module, const std::vector<ErrorSpec>& specs,
                                       const InstrumentOptions& options);

/// When a value that a method returns is the error of a spec (Returns); fails where the types do
/// not fit.
Result<Term> returned_error(const Module& module, const ErrorSpec& spec, Term value);

/// Before inlining: for each spec of one site of a throw, a Boolean that is true while an exception
/// of that site is under way, however it is passed on: through calls, handlers, copies and `throw
/// e`. Null for other specs. It is state here, so that summaries know of it.
std::vector<Term> watch_origins(Module& module, const std::vector<ErrorSpec>& specs);
/// After inlining: the Booleans become locals of methods and constructors.
void localise_origins(Module& module, const std::vector<Term>& origins);

/// Whether a place is `file:line`, or in the procedure `Class.method`; an empty site is any place.
bool at_site(const Module& module, const std::string& site, const std::string& procedure,
             const Location& where);

/// A constructor that returns what the spec (Returns) says has made no object: such runs are
/// blocked. Returns whether there is one that might.
bool block_failed_constructors(Module& module, const ErrorSpec& spec);

} // namespace tacit
