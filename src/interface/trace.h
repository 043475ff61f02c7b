// Recorded words: what a component's clients did, and what came of it (docs/formats.md, "Traces").
// One JSON object a line; each is followed along a result (walk.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interface/walk.h"
#include "interface/written_value.h"

namespace tacit {

struct TraceCall {
  std::string call;
  std::vector<WrittenValue> arguments;
  std::string outcome; // "" when it was not told
  std::optional<WrittenValue> result;
};

struct RecordedTrace {
  std::string constructor;
  std::optional<std::vector<WrittenValue>> constructor_arguments;
  std::vector<TraceCall> calls;
};

/// Reads one line. `out` of a call is what was written through its only out-parameter.
Result<RecordedTrace> read_trace(std::string_view line, const std::string& file, int number);

/// Where it goes wrong first, calls counted from 1, 0 being the constructor; at most one is set.
///
/// - refused: the result does not allow it.
/// - unknown: a guard could not be evaluated, it cannot be told which call is meant, or the last
///   call has a site that was set aside.
/// - impossible: the result has no transition for what happened.
struct TraceVerdict {
  std::optional<std::size_t> refused_at, unknown_at, impossible_at;
  std::vector<std::string> needs; // callees on which the refusal rests

  bool operator==(const TraceVerdict&) const = default;
};

/// What became of the last call is not looked at when the trace does not tell it.
TraceVerdict follow_trace(const Walk& walk, const RecordedTrace& trace);

/// `{"refused_at": 3, "unknown_at": null, "impossible_at": null}`, with "needs" where there are
/// some.
std::string to_json(const TraceVerdict& verdict);

/// "refused at call 3, seek(-1)".
std::string describe(const TraceVerdict& verdict, const RecordedTrace& trace);

} // namespace tacit
