// Is a guarded interface right? Judged by enumeration of concrete words (reference_words.h): the
// product of the interface, with its tracked values, and of the worlds that the observed word
// leaves is explored breadth first, to its end where that is finite, else to a stated depth. A
// claim that fails comes with a shortest concrete word.
//
// Nothing of src/check, src/synthesis or src/abstraction is used, and no evidence is looked at:
// this is about what an interface says, not about why it should be so.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "interface/interface.h"
#include "support/reference_words.h"

namespace tacit {

/// What became of one claim.
struct Judgement {
  enum class Answer {
    Holds,
    HoldsToDepth, // no word up to the depth, over the values tried, speaks against it
    Fails,        // `why`, `word`
    Open,         // it depends on unknown values: `why`, `word`
  };
  Answer answer = Answer::Holds;
  std::string why;
  std::string word; // a shortest one, as text; empty when the claim fails without any

  bool holds() const { return answer == Answer::Holds || answer == Answer::HoldsToDepth; }
};
std::string to_string(const Judgement& judgement);

/// The claims. What each means is said in the body, above the function that judges it.
struct ReferenceReport {
  Judgement safe, permissive, full, minimal;
  /// Sites that were set aside as decided can err whatever the client does.
  Judgement aside;
  std::optional<std::string> malformed; // a text cannot be read or has no value: nothing is right
  std::optional<std::string> failure;   // too large: nothing else holds then
  bool finite = false;                  // explored to the end, with all values of all types
  std::size_t nodes = 0;

  /// Every claim that the result makes as proved holds.
  bool right(const Verdict& claimed) const;
  /// The claims that do not hold, one a line; "" when all do.
  std::string complaints(const Verdict& claimed) const;
};

struct ReferenceOptions {
  ReferenceLimits limits;
  std::size_t depth = std::numeric_limits<std::size_t>::max(); // in calls
  std::size_t nodes = 30'000;
};

ReferenceReport judge_interface(const Interface& interface, const Component& component,
                                const ReferenceOptions& options = {});

} // namespace tacit
