// The transitions of a state as people want to see them: outcomes that do not matter are left out,
// and letters with the same target stand together. Shared by all forms that draw or list an
// interface.
#pragma once

#include <string>
#include <vector>

#include "export/drawing.h"
#include "export/guarded_text.h"
#include "interface/interface.h"

namespace tacit {

/// All letters that lead to `to`: `call` when all outcomes of the call happen and lead here, else
/// `call:outcome`.
struct MergedMove {
  State to = 0;
  std::vector<DrawnLetter> letters;
};

/// In the order of the transitions' first letters. Calls that are allowed but never return are no
/// moves. Letters carry their conditions and updates.
std::vector<MergedMove> moves_of(const Interface& interface, State from, const GuardedText& texts);

/// The texts of the letters.
std::vector<std::string> letter_texts(const MergedMove& move);

/// Refusals with the same call and reason, in all states that have it.
struct RefusalGroup {
  std::string name;
  bool constructor = false;
  std::string error, at;
  std::vector<State> states;     // ascending; empty for a constructor
  std::vector<std::string> word; // the shortest of theirs
  std::vector<OpaqueNeed> needs; // along that word
};

/// In the order of their first entries.
std::vector<RefusalGroup> refusal_groups(const Interface& interface);

} // namespace tacit
