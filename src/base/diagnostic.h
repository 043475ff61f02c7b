// Errors as values: what is wrong with the user's input, and where.
//
// Everything that can fail because of its input returns Result<T>. A broken
// invariant of our own is no Diagnostic; see base/should.h.
#pragma once

#include <compare>
#include <expected>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tacit {

/// A place in a source file. Zero means "not known" for line and column, an
/// empty name means that for the file. Lines and columns count from 1.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;

  bool known() const { return !file.empty() || line > 0; }
  auto operator<=>(const Location&) const = default;
};

/// "file:line:column", without the parts that are not known.
std::string to_string(const Location& where);

/// One complaint about the input. The message is lower case, names the offending
/// thing, and has no full stop at its end.
struct Diagnostic {
  Location where;
  std::string message;
  std::vector<std::string> notes;

  bool operator==(const Diagnostic&) const = default;
};

/// "file:line:column: error: message", then one line "  note: …" for each note;
/// without a location just "error: message". No newline at the end.
std::string to_string(const Diagnostic& diagnostic);

/// A value, or the reason why there is none.
template <class T> using Result = std::expected<T, Diagnostic>;

/// `return fail(where, "unknown variable '{}'", name);`
template <class... Args>
std::unexpected<Diagnostic> fail(Location where, fmt::format_string<Args...> format,
                                 Args&&... args) {
  return std::unexpected(
      Diagnostic{std::move(where), fmt::format(format, std::forward<Args>(args)...), {}});
}

/// The same where no place can be named.
template <class... Args>
std::unexpected<Diagnostic> fail(fmt::format_string<Args...> format, Args&&... args) {
  return std::unexpected(
      Diagnostic{Location{}, fmt::format(format, std::forward<Args>(args)...), {}});
}

} // namespace tacit
