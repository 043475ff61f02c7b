// Lines of source around a place that a result names.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interface/interface.h"

namespace tacit {

/// The text of a source file that a result mentions; none when it is not at hand.
struct FoundSource {
  std::string path, text;
};
using SourceLookup =
    std::function<std::optional<FoundSource>(const Interface&, const std::string&)>;

struct Excerpt {
  std::string note;      // where the lines are from, or why there are none
  std::size_t first = 0; // number of the first line
  std::size_t line = 0;  // the line that was asked for
  std::vector<std::string> lines;
};

/// Looks in the source, and when that is not found in the program that the result carries, whose
/// statements bear the places they come from.
class Excerpts {
public:
  Excerpts(const Interface& interface, SourceLookup lookup)
      : interface_(interface), lookup_(std::move(lookup)) {}

  /// `at` is "file:line" or "file:line:column"; none for anything else.
  std::optional<Excerpt> find(const std::string& at);

private:
  using Lines = std::vector<std::string>;
  const Interface& interface_;
  SourceLookup lookup_;
  struct Source {
    std::string path;
    Lines lines;
  };
  std::map<std::string, std::optional<Source>> files_;
  std::optional<Lines> program_;
};

} // namespace tacit
